package io.ballast.config.keys.http;

import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.core.Checks;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;

/** {@code listeners[].redirect}: a route that redirects all requests to the same URL with HTTPS. */
final class HttpsRedirect {

    private static final int PERMANENT = 308;
    private static final int MAX_PORT = 65_535;
    private static final String HTTPS = "https";

    /** The value {@code https}, or {@code https:8443} if HTTPS does not use port 443. */
    static final Type<RouteConfig> REDIRECT = Scalars.matching(
                    "redirect", "https, or https with a port such as https:8443", "https(:[0-9]{1,5})?")
            .map(HttpsRedirect::route, route -> HTTPS);

    private HttpsRedirect() {}

    private static RouteConfig route(String text) {
        String port = text.substring(HTTPS.length());
        if (!port.isEmpty()) {
            Checks.between(Integer.parseInt(port.substring(1)), 1, MAX_PORT, "redirect");
        }
        // Status 308 keeps the method, so that the data of a form sent over plain HTTP is not lost.
        return RouteConfig.of(RouteMatch.ALL, new RouteAction.Redirect("https://$host" + port + "$uri", PERMANENT));
    }
}
