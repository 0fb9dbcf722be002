package io.ballast.http.files;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.config.RouteAction;
import io.ballast.http.local.ResponseSource;
import io.ballast.http.local.ResponseSourceFactory;
import io.ballast.http.route.request.PathNormalizer;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Creates the responses of a route with static files. Immutable. */
public final class FileRoute implements ResponseSourceFactory {

    /** The reason for file responses in the access log. */
    public static final String REASON = "file";

    private final FileResponder responder;
    private final @Nullable BiFunction<RoutedRequest, RouteScratch, ByteAppender> rewrite;
    private final FileThreads threads;

    /** @param rewrite composes the path that selects the file; null for the path of the request */
    public FileRoute(
            RouteAction.Files config, @Nullable BiFunction<RoutedRequest, RouteScratch, ByteAppender> rewrite) {
        this(config, rewrite, FileThreads.SHARED);
    }

    FileRoute(
            RouteAction.Files config,
            @Nullable BiFunction<RoutedRequest, RouteScratch, ByteAppender> rewrite,
            FileThreads threads) {
        this.responder = new FileResponder(config);
        this.rewrite = rewrite;
        this.threads = threads;
    }

    @Override
    public ResponseSource open(RoutedRequest request, RouteScratch scratch) {
        PathNormalizer path = scratch.path();
        if (rewrite == null) {
            path.normalize(request.bytes(), request.pathStart(), request.pathEnd());
        } else {
            ByteAppender target = rewrite.apply(request, scratch);
            path.normalize(target.bytes(), 0, target.length());
        }
        FilePath file = FilePath.of(path.bytes(), path.from(), path.to());
        return new FileSource(threads, responder, FileRequest.of(request, file));
    }
}
