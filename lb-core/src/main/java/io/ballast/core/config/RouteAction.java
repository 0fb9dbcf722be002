package io.ballast.core.config;

import io.ballast.core.Checks;

/** What a route does with a request. */
public sealed interface RouteAction {

    /** Balances the request over a pool. */
    record ToPool(String pool) implements RouteAction {}

    /**
     * Answers without a backend.
     *
     * @param status 200 to 599
     * @param contentType value of {@code Content-Type}
     * @param body the whole body, sent as UTF-8
     */
    record Respond(int status, String contentType, String body) implements RouteAction {

        public static final int MIN_STATUS = 200;
        public static final int MAX_STATUS = 599;
        public static final String DEFAULT_CONTENT_TYPE = "text/plain; charset=utf-8";

        public Respond {
            Checks.between(status, MIN_STATUS, MAX_STATUS, "status");
        }
    }
}
