# Shared by the scripts and the contract tests: Python packages for tests. Sourced, not run; $root is the checkout.

# Installs the packages $2… into the environment .tools/$1, and again when other versions are wanted. Names it in `tools`.
need_python() {
    tools=$root/.tools/$1
    shift
    [ "$(cat "$tools/installed" 2>/dev/null)" = "$*" ] && return
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "$@"
    echo "$*" >"$tools/installed"
}
