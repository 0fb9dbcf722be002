package io.ballast.http.route;

import io.ballast.http.config.RouteAction;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.route.destination.FixedResponse;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Files below {@code /.well-known/acme-challenge/}, which a certificate authority requests to verify a name (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8555#section-8.3">RFC 8555 section 8.3</a>). HTTP listeners without
 * TLS answer requests for them before routes and policies. Requests for other files in this directory are routed as
 * usual, so that backends can order certificates too.
 *
 * <p>Thread safety: any thread may call any method. Cost: two volatile reads while there are no files.
 */
public final class ChallengeFiles {

    private static final byte[] DIRECTORY = ByteClasses.ascii("/.well-known/acme-challenge/");
    private static final String TYPE = "application/octet-stream";
    private static final int OK = 200;

    private final Map<String, Route> files = new ConcurrentHashMap<>();

    /**
     * Adds or replaces a file.
     *
     * @param token the name of the file, which consists of letters, digits, {@code -} and {@code _}
     * @param content the content, in ASCII
     */
    public void put(String token, String content) {
        FixedResponse response =
                FixedResponse.of(new RouteAction.Respond(OK, TYPE, content), CompiledHeaderChanges.NONE);
        files.put(token, new Route.Fixed(response, RouteHeaderEdits.NONE, /* policies= */ null));
    }

    /** Removes a file, if it exists. */
    public void remove(String token) {
        files.remove(token);
    }

    /** Returns the route of a request for one of the files; null for other requests. */
    @Nullable Route find(RoutedRequest request) {
        if (files.isEmpty()) {
            return null;
        }
        byte[] bytes = request.bytes();
        int from = request.pathStart();
        int token = from + DIRECTORY.length;
        int end = request.pathEnd();
        if (token > end || !Arrays.equals(bytes, from, token, DIRECTORY, 0, DIRECTORY.length)) {
            return null;
        }
        return files.get(new String(bytes, token, end - token, StandardCharsets.ISO_8859_1));
    }
}
