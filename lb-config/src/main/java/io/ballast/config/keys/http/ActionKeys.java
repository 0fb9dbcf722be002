package io.ballast.config.keys.http;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.config.keys.common.NameReference;
import io.ballast.http.config.PathRewrite;
import io.ballast.http.config.RouteAction;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The keys of {@code listeners[].routes[]} other than {@code match}. */
final class ActionKeys {

    private static final ShapeBuilder<RouteAction.Respond> RESPOND_KEYS =
            Shape.named("respond", "A fixed response without a backend.");
    private static final Key<Integer> STATUS = RESPOND_KEYS.required(
            "status",
            Scalars.integer(RouteAction.Respond.MIN_STATUS, RouteAction.Respond.MAX_STATUS),
            "status of the response",
            RouteAction.Respond::status);
    private static final Key<String> BODY = RESPOND_KEYS.optional(
            "body", Scalars.TEXT, "", "body of the response, sent as UTF-8", RouteAction.Respond::body);
    private static final Key<String> CONTENT_TYPE = RESPOND_KEYS.optional(
            "content_type",
            HttpTexts.HEADER_VALUE,
            RouteAction.Respond.DEFAULT_CONTENT_TYPE,
            "its Content-Type",
            RouteAction.Respond::contentType);

    static final Type<RouteAction.Respond> RESPOND = RESPOND_KEYS.build(
            values -> new RouteAction.Respond(values.get(STATUS), values.get(CONTENT_TYPE), values.get(BODY)));

    private static final ShapeBuilder<RouteAction.Redirect> REDIRECT_KEYS =
            Shape.named("redirect", "Redirects the client. The target can be given alone.");
    private static final Key<String> TO = REDIRECT_KEYS.required(
            "to",
            HttpTexts.LOCATION,
            "target URL or path; $host, $path, $query and $uri (path and query) are taken from the request",
            RouteAction.Redirect::to);
    private static final Key<Integer> REDIRECT_STATUS = REDIRECT_KEYS.optional(
            "status",
            Scalars.integer(RouteAction.Redirect.MIN_STATUS, RouteAction.Redirect.MAX_STATUS),
            RouteAction.Redirect.DEFAULT_STATUS,
            "301, 302, 303, 307 or 308",
            RouteAction.Redirect::status);

    /** A redirect, written as a mapping or as the URL alone. */
    static final Type<RouteAction.Redirect> REDIRECT = new BriefType<>(
            HttpTexts.LOCATION.map(
                    to -> new RouteAction.Redirect(to, RouteAction.Redirect.DEFAULT_STATUS), RouteAction.Redirect::to),
            REDIRECT_KEYS.build(values -> new RouteAction.Redirect(values.get(TO), values.get(REDIRECT_STATUS))),
            /* printsBrief= */ redirect -> false);

    private static final ShapeBuilder<RouteAction.Files> FILES_KEYS =
            Shape.named("files", "Serves static files. The root can be given alone.");
    private static final Key<Path> ROOT = FILES_KEYS.required(
            "root",
            new FileType(),
            "directory of the files; the path of the request, after a rewrite, is appended to it",
            RouteAction.Files::root);
    private static final Key<String> INDEX = FILES_KEYS.optional(
            "index",
            Scalars.matching("file name", "the name of a file, without slashes", "[!-.0-~][ -.0-~]*"),
            RouteAction.Files.DEFAULT_INDEX,
            "file that answers for a directory",
            RouteAction.Files::index);
    private static final Key<String> FALLBACK = FILES_KEYS.optional(
            "fallback",
            HttpTexts.PREFIX,
            "file that is sent for pages that do not exist, such as /index.html; default: 404 is sent",
            RouteAction.Files::fallback);
    private static final Key<Boolean> PRECOMPRESSED = FILES_KEYS.optional(
            "precompressed",
            Scalars.BOOLEAN,
            false,
            "whether files ending in .br, .zst and .gz are sent as compressed forms of files, to clients that accept them",
            RouteAction.Files::precompressed);
    private static final Key<String> CACHE_CONTROL = FILES_KEYS.optional(
            "cache_control",
            HttpTexts.HEADER_VALUE,
            "value of Cache-Control for files, except for the fallback, which has no-cache; none by default",
            RouteAction.Files::cacheControl);

    /** Static files, written as a mapping or as the root alone. */
    static final Type<RouteAction.Files> FILES = new BriefType<>(
            new FileType().map(RouteAction.Files::new, RouteAction.Files::root),
            FILES_KEYS.build(values -> new RouteAction.Files(
                    values.get(ROOT),
                    values.get(INDEX),
                    values.find(FALLBACK),
                    values.get(PRECOMPRESSED),
                    values.find(CACHE_CONTROL))),
            /* printsBrief= */ files -> false);

    private static final ShapeBuilder<RouteAction.Share> SHARE_KEYS =
            Shape.named("share", "One pool of a split. The pool is selected for each request.");
    private static final Key<String> POOL =
            SHARE_KEYS.required("pool", NameReference.POOL, "name of the pool", RouteAction.Share::pool);
    private static final Key<Integer> WEIGHT = SHARE_KEYS.optional(
            "weight",
            Scalars.integer(0, RouteAction.Share.MAX_WEIGHT),
            RouteAction.Share.DEFAULT_WEIGHT,
            "share of requests relative to the other pools; 0 means no requests",
            RouteAction.Share::weight);

    static final Type<List<RouteAction.Share>> SPLIT = ListType.atLeastOne(
                    SHARE_KEYS.build(values -> new RouteAction.Share(values.get(POOL), values.get(WEIGHT))))
            .unique("pool", RouteAction.Share::pool);

    private static final ShapeBuilder<PathRewrite> REWRITE_KEYS =
            Shape.named("rewrite", "How the path is changed before the request is forwarded or redirected.");
    private static final Key<String> STRIP = REWRITE_KEYS.optional(
            "strip",
            HttpTexts.PREFIX,
            "leading path segments to remove; the route's path must begin with them",
            rewrite -> rewrite instanceof PathRewrite.Strip strip ? Optional.of(strip.prefix()) : Optional.empty());
    private static final Key<String> REPLACE = REWRITE_KEYS.optional(
            "replace",
            HttpTexts.PREFIX,
            "path that replaces the route's path; prepended to every path if the route has none",
            rewrite ->
                    rewrite instanceof PathRewrite.Replace replace ? Optional.of(replace.prefix()) : Optional.empty());

    static {
        REWRITE_KEYS.exactlyOne(STRIP, REPLACE);
    }

    static final Type<PathRewrite> REWRITE = REWRITE_KEYS.build(values -> values.has(STRIP)
            ? new PathRewrite.Strip(values.get(STRIP))
            : new PathRewrite.Replace(values.get(REPLACE)));

    private ActionKeys() {}
}
