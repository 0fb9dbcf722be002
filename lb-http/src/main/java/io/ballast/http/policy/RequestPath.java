package io.ballast.http.policy;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.route.request.PathNormalizer;
import io.ballast.http.route.request.RoutedRequest;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes the paths of requests. One object serves many requests; allocates at its first use. Event-loop confined.
 */
final class RequestPath {

    private @Nullable PathNormalizer normalizer;

    /** Appends the path of a request without its query; see {@link PolicyExchange#appendPath}. */
    void append(RoutedRequest head, ByteAppender target) {
        PathNormalizer path = normalizer;
        if (path == null) {
            path = new PathNormalizer();
            normalizer = path;
        }
        path.normalize(
                head.bytes(),
                head.pathStart(),
                head.pathEnd(),
                PathNormalizer.ENCODED_SLASH | PathNormalizer.BACKSLASH);
        target.append(path.bytes(), path.from(), path.to());
    }
}
