package io.ballast.http.config;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The action of a route. */
public sealed interface RouteAction {

    /** Returns the pools that receive requests, with their weights; empty if no backend receives requests. */
    default List<Share> shares() {
        return List.of();
    }

    /** Balances the request over a pool. */
    record ToPool(String pool) implements RouteAction {

        @Override
        public List<Share> shares() {
            return List.of(new Share(pool, Share.DEFAULT_WEIGHT));
        }
    }

    /** Balances the request over one of several pools, which is selected by weight for each request. */
    record Split(List<Share> shares) implements RouteAction {

        public Split {
            shares = List.copyOf(shares);
            Checks.that(
                    shares.stream().anyMatch(share -> share.weight() > 0),
                    "split",
                    "weight 0 for all pools",
                    "at least one weight above 0");
        }
    }

    /**
     * One pool of a split.
     *
     * @param weight the pool's share of the requests, relative to the weights of the other pools; a pool with
     *     weight 0 receives no requests
     */
    record Share(String pool, int weight) {

        public static final int DEFAULT_WEIGHT = 1;
        public static final int MAX_WEIGHT = 100_000;

        public Share {
            Checks.between(weight, 0, MAX_WEIGHT, "weight");
        }
    }

    /**
     * Redirects the client.
     *
     * @param to value of {@code Location}, with variables {@code $host}, {@code $path}, {@code $query}, {@code $uri}
     * @param status 301, 302, 303, 307 or 308
     */
    record Redirect(String to, int status) implements RouteAction {

        public static final int MIN_STATUS = 301;
        public static final int MAX_STATUS = 308;
        public static final int DEFAULT_STATUS = 302;

        private static final List<Integer> STATUSES = List.of(301, 302, 303, 307, 308);

        public Redirect {
            Checks.that(STATUSES.contains(status), "status", status, "301, 302, 303, 307 or 308");
        }
    }

    /**
     * Sends a fixed response without a backend.
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

    /**
     * Serves static files.
     *
     * @param root the directory of the files; the path of the request, after a rewrite, is relative to it
     * @param index the name of the file that is sent for a directory
     * @param fallback the path of the file that is sent for pages that do not exist; starts with a slash
     * @param precompressed whether files with the suffix {@code .br}, {@code .zst} or {@code .gz} are compressed forms
     *     of the files without that suffix
     * @param cacheControl the value of {@code Cache-Control}
     */
    record Files(
            Path root, String index, Optional<String> fallback, boolean precompressed, Optional<String> cacheControl)
            implements RouteAction {

        public static final String DEFAULT_INDEX = "index.html";

        public Files {
            Checks.that(isName(index), "index", index, "the name of a file, without slashes");
            fallback.ifPresent(path -> Checks.that(
                    path.startsWith("/") && !path.endsWith("/"),
                    "fallback",
                    path,
                    "the path of a file, such as /index.html"));
        }

        /** Creates the action with the default settings. */
        public Files(Path root) {
            this(root, DEFAULT_INDEX, Optional.empty(), /* precompressed= */ false, Optional.empty());
        }

        private static boolean isName(String text) {
            return !text.isEmpty() && !text.contains("/") && !text.equals(".") && !text.equals("..");
        }
    }
}
