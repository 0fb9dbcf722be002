package io.ballast.http.route;

/** The normalised path matches a regular expression. Allocates what matching does. */
record PathCondition(RoutePattern pattern) implements Condition {

    @Override
    public boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch) {
        PathNormalizer path = scratch.path;
        return pattern.matches(path.bytes(), path.from(), path.to(), scratch);
    }
}
