package io.ballast.dashboard.web;

import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.Handler;
import io.ballast.dashboard.server.Router;
import java.util.function.BooleanSupplier;

/**
 * The files of the dashboard page. The build writes them beside this class: HTML files in {@code page/},
 * the files that the HTML files load in {@code page/assets/}, and the documentation in {@code docs/}. The
 * names in {@code page/assets/} contain a hash of the content. Each file is read at its first request,
 * because compressing all files would delay the start.
 */
public final class Assets {

    /** Cache-Control of files whose name contains the hash of the content, so that the content never changes. */
    static final String IMMUTABLE = "public, max-age=31536000, immutable";

    /**
     * Cache-Control of files whose name contains no hash: the browser revalidates the file at every load and
     * usually gets a 304.
     */
    static final String REVALIDATED = "no-cache";

    private Assets() {}

    /**
     * Adds a route for each directory, and the page at {@code /}. The routes are public, because the files are the
     * same in every copy of the jar. The page redirects callers without a session to the login.
     *
     * @param needsLogin whether authentication is configured
     */
    public static void addTo(Router router, BooleanSupplier needsLogin) {
        AssetDirectory api = new AssetDirectory("/io/ballast/dashboard/api/", REVALIDATED);
        AssetDirectory pages = new AssetDirectory("page/", REVALIDATED);
        Handler page = request -> pages.asset("index.html").handle(request);
        Handler login = request -> pages.asset("login.html").handle(request);
        router.get("/api/v1/openapi.json", request -> api.asset("openapi.json").handle(request));
        router.getPublic("/index.html", page);
        router.getPublic("/login.html", login);
        router.getPublic(
                "/",
                request ->
                        request.caller().role().isPresent() ? page.handle(request) : AdminResponse.seeOther("/login"));
        router.getPublic(
                "/login", request -> needsLogin.getAsBoolean() ? login.handle(request) : AdminResponse.seeOther("/"));
        router.getPublic("/assets/{file}", new AssetDirectory("page/assets/", IMMUTABLE));
        AssetDirectory documents = new AssetDirectory("docs/", REVALIDATED);
        router.getPublic("/docs/{file}", documents);
        router.getPublic(
                "/docs/{directory}/{file}",
                request -> documents
                        .asset(request.parameter("directory") + '/' + request.parameter("file"))
                        .handle(request));
    }
}
