//! The routes of a kind of record, from one declaration in the file of the kind.

/// Declares routes of a kind: their handlers, documented, and `record_routes`, which adds them. The head names the kind,
/// one record of it as the texts say it, and the type of a record by itself. `list` takes the type of its items and its
/// parameters besides those of every list; `create` and `patch` take the type of the body; `archive` and `restore` take
/// further answers. A route without a text has the one that most kinds have; `as` declares the id of an operation that
/// does not follow from its path.
macro_rules! record_routes {
    (
        $kind:ident, $one:literal, $full:ident;
        $($(#[doc = $doc:literal])* $verb:ident $(as $id:literal)? $(($($arg:tt)*))?;)+
    ) => {
        fn record_routes(
            router: utoipa_axum::router::OpenApiRouter<app::App>,
        ) -> utoipa_axum::router::OpenApiRouter<app::App> {
            router $(.routes(utoipa_axum::routes!($verb)))+
        }

        $($crate::v1::record::record_route! {
            $verb ($kind $one $full) [$(#[doc = $doc])*] [$(operation_id = $id,)?] [$($($arg)*)?]
        })+
    };
}
pub(crate) use record_routes;

/// One handler of `record_routes!`. The first rules give a route without a text the usual one, the others declare it.
macro_rules! record_route {
    (create ($kind:ident $one:literal $full:ident) [] [$($name:tt)*] $args:tt) => {
        $crate::v1::record::record_route! {
            create ($kind $full) [] [$($name)* summary = concat!("Creates ", $one, "."),] $args
        }
    };
    (get ($kind:ident $one:literal $full:ident) [] [$($name:tt)*] $args:tt) => {
        $crate::v1::record::record_route! {
            get ($kind $full) [] [$($name)* summary = concat!("Gets ", $one, " with its history."),] $args
        }
    };
    (archive ($kind:ident $one:literal $full:ident) [] [$($name:tt)*] $args:tt) => {
        $crate::v1::record::record_route! {
            archive ($kind $full) []
            [
                $($name)*
                summary = concat!("Archives ", $one, "."),
                description = "It leaves the lists and keeps its history.",
            ]
            $args
        }
    };
    (restore ($kind:ident $one:literal $full:ident) [] [$($name:tt)*] $args:tt) => {
        $crate::v1::record::record_route! {
            restore ($kind $full) [] [$($name)* summary = concat!("Restores ", $one, " from the archive."),] $args
        }
    };
    (versions ($kind:ident $one:literal $full:ident) [] [$($name:tt)*] $args:tt) => {
        $crate::v1::record::record_route! {
            versions ($kind $full) []
            [
                $($name)*
                summary = concat!("Lists the versions of ", $one, "."),
                description = "Every change keeps the version before. The current version comes first.",
            ]
            $args
        }
    };
    (version ($kind:ident $one:literal $full:ident) [] [$($name:tt)*] $args:tt) => {
        $crate::v1::record::record_route! {
            version ($kind $full) [] [$($name)* summary = concat!("Gets one version of ", $one, "."),] $args
        }
    };
    ($verb:ident ($kind:ident $one:literal $full:ident) $docs:tt $name:tt $args:tt) => {
        $crate::v1::record::record_route! { $verb ($kind $full) $docs $name $args }
    };

    (list ($kind:ident $full:ident) [$($doc:tt)*] [$($text:tt)*] [$item:ident; $($params:tt)*]) => {
        $($doc)*
        #[utoipa::path(get, path = <$kind as $crate::v1::record::Noun>::PATH, tag = SUBJECT.tag, $($text)*
            params($crate::extract::ListParams, $($params)*),
            responses((status = 200, body = $crate::respond::List<$item>),
                $crate::v1::wire::NotModified, $crate::v1::wire::KeyedErrors))]
        pub(crate) async fn list(
            axum::extract::State(app): axum::extract::State<app::App>,
            $crate::extract::Reader(caller): $crate::extract::Reader,
            $crate::extract::ListQuery(query): $crate::extract::ListQuery,
            if_none_match: $crate::extract::IfNoneMatch,
        ) -> Result<axum::response::Response, $crate::ApiError> {
            $crate::v1::record::list::<$kind>(&app, &caller, query, &if_none_match).await
        }
    };
    (create ($kind:ident $full:ident) [$($doc:tt)*] [$($text:tt)*] [$body:ident]) => {
        $($doc)*
        #[utoipa::path(post, path = <$kind as $crate::v1::record::Noun>::PATH, tag = SUBJECT.tag, $($text)*
            request_body = $body,
            responses((status = 201, body = $crate::respond::Data<$full>),
                $crate::v1::wire::KeyedErrors, $crate::v1::wire::BodyErrors))]
        pub(crate) async fn create(
            axum::extract::State(app): axum::extract::State<app::App>,
            $crate::extract::Writer(caller): $crate::extract::Writer,
            body: $crate::extract::Body,
        ) -> Result<axum::response::Response, $crate::ApiError> {
            $crate::v1::record::create::<$kind>(&app, &caller, body).await
        }
    };
    (get ($kind:ident $full:ident) [$($doc:tt)*] [$($text:tt)*] []) => {
        $($doc)*
        #[utoipa::path(get, context_path = <$kind as $crate::v1::record::Noun>::PATH, path = "/{id}",
            tag = SUBJECT.tag, $($text)* params(("id" = String, Path)),
            responses((status = 200, body = $crate::respond::Data<$full>),
                $crate::v1::wire::NotModified, $crate::v1::wire::KeyedErrors))]
        pub(crate) async fn get(
            axum::extract::State(app): axum::extract::State<app::App>,
            $crate::extract::Reader(caller): $crate::extract::Reader,
            $crate::extract::IdPath(id): $crate::extract::IdPath<$crate::v1::record::Id<$kind>>,
            if_none_match: $crate::extract::IfNoneMatch,
        ) -> Result<axum::response::Response, $crate::ApiError> {
            $crate::v1::record::get::<$kind>(&app, &caller, id, &if_none_match).await
        }
    };
    (patch ($kind:ident $full:ident) [$($doc:tt)*] [$($text:tt)*] [$body:ident]) => {
        $($doc)*
        #[utoipa::path(patch, context_path = <$kind as $crate::v1::record::Noun>::PATH, path = "/{id}",
            tag = SUBJECT.tag, $($text)* request_body = $body, params(("id" = String, Path)),
            responses((status = 200, body = $crate::respond::Data<$full>),
                $crate::v1::wire::KeyedErrors, $crate::v1::wire::StaleError, $crate::v1::wire::BodyErrors))]
        pub(crate) async fn patch(
            axum::extract::State(app): axum::extract::State<app::App>,
            $crate::extract::Writer(caller): $crate::extract::Writer,
            $crate::extract::IdPath(id): $crate::extract::IdPath<$crate::v1::record::Id<$kind>>,
            $crate::extract::IfMatch(precondition): $crate::extract::IfMatch,
            body: $crate::extract::Body,
        ) -> Result<axum::response::Response, $crate::ApiError> {
            $crate::v1::record::patch::<$kind>(&app, &caller, id, precondition, body).await
        }
    };
    (delete ($kind:ident $full:ident) [$($doc:tt)*] [$($text:tt)*] []) => {
        $($doc)*
        #[utoipa::path(delete, context_path = <$kind as $crate::v1::record::Noun>::PATH, path = "/{id}",
            tag = SUBJECT.tag, $($text)* params(("id" = String, Path)),
            responses((status = 204), $crate::v1::wire::KeyedErrors, $crate::v1::wire::StaleError))]
        pub(crate) async fn delete(
            axum::extract::State(app): axum::extract::State<app::App>,
            $crate::extract::Writer(caller): $crate::extract::Writer,
            $crate::extract::IdPath(id): $crate::extract::IdPath<$crate::v1::record::Id<$kind>>,
            $crate::extract::IfMatch(precondition): $crate::extract::IfMatch,
        ) -> Result<axum::response::Response, $crate::ApiError> {
            $crate::v1::record::delete::<$kind>(&app, &caller, id, precondition).await
        }
    };
    (archive $($rest:tt)*) => {
        $crate::v1::record::record_route! { @archived archive "/{id}/archive" true $($rest)* }
    };
    (restore $($rest:tt)*) => {
        $crate::v1::record::record_route! { @archived restore "/{id}/restore" false $($rest)* }
    };
    (@archived $verb:ident $path:literal $archived:literal
        ($kind:ident $full:ident) [$($doc:tt)*] [$($text:tt)*] [$($answer:tt)*]
    ) => {
        $($doc)*
        #[utoipa::path(post, context_path = <$kind as $crate::v1::record::Noun>::PATH, path = $path,
            tag = SUBJECT.tag, $($text)* params(("id" = String, Path)),
            responses((status = 200, body = $crate::respond::Data<$full>),
                $crate::v1::wire::KeyedErrors, $crate::v1::wire::StaleError, $($answer)*))]
        pub(crate) async fn $verb(
            axum::extract::State(app): axum::extract::State<app::App>,
            $crate::extract::Writer(caller): $crate::extract::Writer,
            $crate::extract::IdPath(id): $crate::extract::IdPath<$crate::v1::record::Id<$kind>>,
            $crate::extract::IfMatch(precondition): $crate::extract::IfMatch,
        ) -> Result<axum::response::Response, $crate::ApiError> {
            $crate::v1::record::archive::<$kind>(&app, &caller, id, $archived, precondition).await
        }
    };
    (versions ($kind:ident $full:ident) [$($doc:tt)*] [$($text:tt)*] []) => {
        $($doc)*
        #[utoipa::path(get, context_path = <$kind as $crate::v1::record::Noun>::PATH, path = "/{id}/versions",
            tag = SUBJECT.tag, $($text)* params(("id" = String, Path), $crate::extract::PageParams),
            responses((status = 200, body = $crate::respond::List<$crate::v1::record::RecordVersion>),
                $crate::v1::wire::KeyedErrors))]
        pub(crate) async fn versions(
            axum::extract::State(app): axum::extract::State<app::App>,
            $crate::extract::Reader(caller): $crate::extract::Reader,
            $crate::extract::IdPath(id): $crate::extract::IdPath<$crate::v1::record::Id<$kind>>,
            query: $crate::extract::PageQuery,
        ) -> Result<axum::response::Response, $crate::ApiError> {
            $crate::v1::record::versions::<$kind>(&app, &caller, id, query.check()?.page).await
        }
    };
    (version ($kind:ident $full:ident) [$($doc:tt)*] [$($text:tt)*] []) => {
        $($doc)*
        #[utoipa::path(get, context_path = <$kind as $crate::v1::record::Noun>::PATH,
            path = "/{id}/versions/{version}", tag = SUBJECT.tag, $($text)*
            params(("id" = String, Path), ("version" = i64, Path, minimum = 1)),
            responses((status = 200, body = $crate::respond::Data<$crate::v1::record::RecordVersion>),
                $crate::v1::wire::KeyedErrors))]
        pub(crate) async fn version(
            axum::extract::State(app): axum::extract::State<app::App>,
            $crate::extract::Reader(caller): $crate::extract::Reader,
            $crate::extract::IdsPath(id, version): $crate::extract::IdsPath<$crate::v1::record::Id<$kind>, i64>,
        ) -> Result<axum::response::Response, $crate::ApiError> {
            $crate::v1::record::version::<$kind>(&app, &caller, id, version).await
        }
    };
}
pub(crate) use record_route;
