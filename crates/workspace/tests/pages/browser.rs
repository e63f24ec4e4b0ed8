//! A simulated browser: it keeps the cookie, fills in forms and sends its origin.

use axum::{Router, body::Body};
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

#[derive(Debug, Clone)]
pub(crate) struct Browser {
    router: Router,
    pub(crate) cookie: Option<String>,
    /// The cookie that makes this browser known to an account.
    pub(crate) device: Option<String>,
    /// The cookie of a sign-in with an identity provider that is under way.
    pub(crate) pending: Option<String>,
    /// The cookie of a question to a passkey.
    pub(crate) question: Option<String>,
    /// The cookies of links that were opened, each with the address it is sent to.
    pub(crate) links: Vec<(String, String)>,
    headers: Vec<(&'static str, String)>,
}

/// A complete page.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Browser {
    pub(crate) fn new(router: Router) -> Self {
        let headers = vec![("origin", "http://127.0.0.1:8080".to_owned())];
        Self { router, cookie: None, device: None, pending: None, question: None, links: Vec::new(), headers }
    }

    /// The same browser with this value of a header.
    pub(crate) fn with(&self, name: &'static str, value: &str) -> Self {
        let mut other = self.without(name);
        other.headers.push((name, value.to_owned()));
        other
    }

    pub(crate) fn without(&self, name: &'static str) -> Self {
        let mut other = self.clone();
        other.headers.retain(|(known, _)| *known != name);
        other
    }

    pub(crate) async fn signed_in(mut self, email: &str, password: &str) -> Self {
        let page = self.post("/workspace/sign-in", &[("email", email), ("password", password)]).await;
        assert!(["/workspace", "/workspace/work"].contains(&page.location()), "{page:?}");
        self
    }

    pub(crate) async fn get(&mut self, path: &str) -> Page {
        self.send(Method::GET, path, None).await
    }

    /// Opens a link with a token and follows it to the page without.
    pub(crate) async fn open(&mut self, link: &str) -> Page {
        let page = self.get(link).await;
        if page.status != 303 {
            return page;
        }
        let address = page.location().to_owned();
        let token = link.rsplit('/').next().unwrap();
        assert!(!address.contains(token), "{address}");
        self.get(&address).await
    }

    /// Posts exactly these fields.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let body: String = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.send(Method::POST, path, Some(body)).await
    }

    /// Opens a page, and posts these fields with the hidden ones its first form has.
    pub(crate) async fn submit(&mut self, shown_at: &str, path: &str, fields: &[(&str, &str)]) -> Page {
        let page = self.get(shown_at).await;
        assert_eq!(page.status, 200, "{page:?}");
        let hidden = page.hidden();
        // A page may have several forms; the fields named by the test belong to the intended one.
        let rest = hidden.iter().filter(|(name, _)| !fields.iter().any(|(named, _)| named == name));
        let mut all: Vec<_> = rest.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        all.extend(fields);
        self.post(path, &all).await
    }

    /// Sends a form with a file, with the token of its page.
    pub(crate) async fn upload(&mut self, path: &str, fields: &[(&str, &str)], file: &str) -> Page {
        let hidden = self.get(path).await.hidden();
        let mut all: Vec<_> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        all.extend(fields);
        self.upload_raw(path, &all, file).await
    }

    pub(crate) async fn upload_raw(&mut self, path: &str, fields: &[(&str, &str)], file: &str) -> Page {
        self.upload_named(path, fields, "a.csv", file).await
    }

    /// The same with the file under a name of its own, sent as it is.
    pub(crate) async fn upload_named(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        file_name: &str,
        file: &str,
    ) -> Page {
        self.upload_bytes(path, fields, file_name, file.as_bytes()).await
    }

    /// The same with a file that is no text.
    pub(crate) async fn upload_bytes(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        file_name: &str,
        file: &[u8],
    ) -> Page {
        let mut body = Vec::new();
        for (name, value) in fields {
            let part =
                format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            body.extend_from_slice(part.as_bytes());
        }
        let head = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\n\
             Content-Type: text/csv\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--edge--\r\n");
        self.exchange(Method::POST, path, Some(("multipart/form-data; boundary=edge", body))).await.page()
    }

    /// Fetches a response that is no page.
    pub(crate) async fn fetch(&mut self, path: &str) -> File {
        self.exchange(Method::GET, path, None).await
    }

    async fn send(&mut self, method: Method, path: &str, form: Option<String>) -> Page {
        let form = form.map(|form| ("application/x-www-form-urlencoded", form.into_bytes()));
        self.exchange(method, path, form).await.page()
    }

    async fn exchange(&mut self, method: Method, path: &str, sent: Option<(&str, Vec<u8>)>) -> File {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, "127.0.0.1:8080");
        if let Some((kind, _)) = &sent {
            request = request.header(header::CONTENT_TYPE, *kind);
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let kept = [&self.cookie, &self.device, &self.pending, &self.question];
        let links = self.links.iter().filter(|(address, _)| path.starts_with(address.as_str()));
        let mut cookies: Vec<_> = kept.into_iter().flatten().map(String::as_str).collect();
        cookies.extend(links.map(|(_, pair)| pair.as_str()));
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        let body = sent.map(|(_, body)| body).unwrap_or_default();
        let request = request.body(Body::from(body)).unwrap();
        let (parts, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        self.keep_cookie(&parts.headers);
        File { status: parts.status, headers: parts.headers, bytes }
    }

    fn keep_cookie(&mut self, headers: &HeaderMap) {
        for set in headers.get_all(header::SET_COOKIE) {
            let text = set.to_str().unwrap();
            let pair = text.split(';').next().unwrap().to_owned();
            let kept = (!text.contains("Max-Age=0")).then(|| pair.clone());
            match &pair {
                pair if pair.contains("-link=") => {
                    let (_, rest) = text.split_once("Path=").unwrap();
                    let address = rest.split(';').next().unwrap().to_owned();
                    self.links.retain(|(known, _)| *known != address);
                    self.links.extend(kept.map(|pair| (address, pair)));
                }
                pair if pair.contains("-device=") => self.device = kept,
                pair if pair.contains("-sign-in=") => self.pending = kept,
                pair if pair.contains("-passkey=") => self.question = kept,
                _ => self.cookie = kept,
            }
        }
    }
}

/// A response as received.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl File {
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status);
        self
    }

    fn page(self) -> Page {
        // A form can lead to a report, which is no page.
        let is_report = self.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/pdf");
        assert!(!is_report || self.bytes.starts_with(b"%PDF-"));
        let body = if is_report { String::new() } else { String::from_utf8(self.bytes).unwrap() };
        Page { status: self.status, headers: self.headers, body }.checked()
    }
}

impl Page {
    /// Checks the properties of every response.
    fn checked(self) -> Self {
        let policy = self.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe-inline"));
        let referrer = self.headers[header::REFERRER_POLICY].to_str().unwrap();
        assert!(["same-origin", "no-referrer"].contains(&referrer), "{referrer}");
        assert!(self.headers.contains_key("x-request-id"));
        assert!(self.headers.contains_key(header::CACHE_CONTROL));
        for inline in ["<script>", " style=", " onclick=", "javascript:"] {
            assert!(!self.body.contains(inline), "{inline} in {}", self.body);
        }
        self
    }

    pub(crate) fn location(&self) -> &str {
        let location = self.headers.get(header::LOCATION).map(|value| value.to_str().unwrap());
        location.unwrap_or_else(|| panic!("no way on: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self
    }

    #[track_caller]
    pub(crate) fn shows(self, text: &str) -> Self {
        assert!(self.body.contains(text), "no {text:?} in {}", self.body);
        self
    }

    #[track_caller]
    pub(crate) fn lacks(self, text: &str) -> Self {
        assert!(!self.body.contains(text), "{text:?} in {}", self.body);
        self
    }

    /// The page without the tokens of its forms, which are encoded differently each time.
    pub(crate) fn without_tokens(&self) -> String {
        const MARK: &str = "name=\"form_token\" value=\"";
        let mut parts = self.body.split(MARK);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |page, part| page + MARK + part.split_once('"').map_or(part, |(_, rest)| rest))
    }

    /// The text between two marks.
    pub(crate) fn between(&self, before: &str, after: &str) -> &str {
        let (_, rest) =
            self.body.split_once(before).unwrap_or_else(|| panic!("no {before:?}: {}", self.body));
        rest.split_once(after).unwrap().0
    }

    /// Name and value of the page's hidden fields.
    pub(crate) fn hidden(&self) -> Vec<(String, String)> {
        let attribute = |tag: &str, name: &str| {
            tag.split_once(&format!(" {name}=\""))
                .and_then(|(_, rest)| rest.split_once('"'))
                .map(|(v, _)| v.replace("&quot;", "\"").replace("&amp;", "&"))
        };
        let tags = self.body.split("<input ").skip(1).filter_map(|rest| rest.split_once('>'));
        let hidden = tags.map(|(tag, _)| format!(" {tag}")).filter(|tag| tag.contains("type=\"hidden\""));
        // In the order of the page, since a form with a file carries its token first.
        let mut pairs: Vec<(String, String)> = Vec::new();
        for tag in hidden {
            let name = attribute(&tag, "name").unwrap();
            if pairs.iter().all(|(known, _)| *known != name) {
                pairs.push((name, attribute(&tag, "value").unwrap()));
            }
        }
        pairs
    }
}
