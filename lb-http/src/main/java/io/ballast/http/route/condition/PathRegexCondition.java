package io.ballast.http.route.condition;

import io.ballast.http.route.regex.RoutePattern;
import io.ballast.http.route.request.PathNormalizer;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/** Requires that the normalized path matches a regular expression. Allocates in the regex matcher. */
record PathRegexCondition(RoutePattern pattern) implements Condition {

    @Override
    public boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch) {
        PathNormalizer path = scratch.path();
        return pattern.matches(path.bytes(), path.from(), path.to(), scratch.text());
    }
}
