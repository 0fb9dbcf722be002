package io.ballast.http.local;

import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/** Creates the sources of the responses of a route. Thread safety: called concurrently by all event loops. */
@FunctionalInterface
public interface ResponseSourceFactory {

    /**
     * Creates the source of the response to one request. Must not block.
     *
     * @param request the head, valid only during the call
     * @param scratch the working memory of the event loop
     */
    ResponseSource open(RoutedRequest request, RouteScratch scratch);
}
