package io.ballast.dashboard.source;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The keys and the last refusals of a policy. Thread safety: any thread. Reading the keys takes some milliseconds, so
 * it must not happen on an event loop.
 */
public interface PolicyActivity {

    /** A policy without keys and refusals. */
    PolicyActivity NONE = new PolicyActivity() {
        @Override
        public List<LimitedKey> heaviestKeys(int max) {
            return List.of();
        }

        @Override
        public List<RefusedRequest> newestRefusals(int max) {
            return List.of();
        }
    };

    /** Returns the keys with most recent refusals, then those that use most of the limit. */
    List<LimitedKey> heaviestKeys(int max);

    /** Returns the last refusals, the newest first. */
    List<RefusedRequest> newestRefusals(int max);

    /**
     * A key of a limit.
     *
     * @param text the key as people read it; empty if no request of the key was refused recently
     * @param id identifies the key in this process, such as {@code #0badcafe}
     * @param refused the number of requests that were refused recently
     * @param used the part of the limit that is in use, in requests
     * @param limit the maximum of {@code used}
     * @param banSeconds the seconds until the ban of the key ends; 0 if it is not banned
     */
    record LimitedKey(Optional<String> text, String id, long refused, long used, long limit, long banSeconds) {}

    /**
     * A refused request.
     *
     * @param client the client's address; empty for a client at a Unix socket
     * @param identity the authenticated identity; empty for none
     * @param path the path without query
     * @param dryRun whether the refusal had no effect
     */
    record RefusedRequest(
            Instant time,
            String client,
            String identity,
            String route,
            String method,
            String path,
            int status,
            String reason,
            boolean dryRun) {}
}
