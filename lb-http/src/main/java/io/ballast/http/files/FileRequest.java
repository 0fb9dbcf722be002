package io.ballast.http.files;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a request that select a file and the form of the response. Immutable, so that other threads can read it.
 *
 * @param method the method
 * @param path the file; null if no file can have this name
 * @param target the path and query that the client sent
 * @param accept the value of {@code Accept}; null if the request has no such header. Likewise, {@code acceptEncoding}
 *     and {@code range} are values of headers, or null
 */
record FileRequest(
        String method,
        @Nullable FilePath path,
        String target,
        @Nullable String accept,
        @Nullable String acceptEncoding,
        @Nullable String range,
        FileConditions conditions) {

    private static final byte[] ACCEPT = ByteClasses.ascii("accept");
    private static final byte[] ACCEPT_ENCODING = ByteClasses.ascii("accept-encoding");
    private static final byte[] RANGE = ByteClasses.ascii("range");

    static FileRequest of(RoutedRequest request, @Nullable FilePath path) {
        return new FileRequest(
                text(request, request.methodStart(), request.methodEnd()),
                path,
                text(request, request.pathStart(), request.pathEnd()),
                header(request, ACCEPT),
                header(request, ACCEPT_ENCODING),
                header(request, RANGE),
                FileConditions.of(request));
    }

    /** Returns the value of a header; several lines are joined to a list. */
    static @Nullable String header(RoutedRequest request, byte[] name) {
        String value = null;
        for (int line = request.headerLine(name, 0); line >= 0; line = request.headerLine(name, line + 1)) {
            String next = text(request, request.headerStart(line), request.headerEnd(line));
            value = value == null ? next : value + ", " + next;
        }
        return value;
    }

    private static String text(RoutedRequest request, int from, int to) {
        return new String(request.bytes(), from, to - from, StandardCharsets.ISO_8859_1);
    }

    boolean isGet() {
        return method.equals("GET");
    }

    /** Whether the method is GET or HEAD. */
    boolean isRead() {
        return isGet() || method.equals("HEAD");
    }

    /**
     * Whether the fallback file is sent if the file does not exist. It replaces only pages: if a script or an image is
     * missing, the client must get an error.
     */
    boolean isForPage() {
        boolean acceptsHtml = accept != null && accept.contains("text/html");
        return acceptsHtml || (path != null && path.lastSegment().indexOf('.') < 0);
    }
}
