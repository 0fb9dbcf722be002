package io.ballast.dns.querylog;

/**
 * What of the queries goes to the log's thread. Immutable.
 *
 * @param forwarded whether those for names outside the zones are logged
 * @param authority whether the others are
 * @param sample one in so many
 * @param tapsForwarded whether their whole messages go there, too
 * @param tapsAuthority likewise of the others
 */
record Recording(boolean forwarded, boolean authority, int sample, boolean tapsForwarded, boolean tapsAuthority) {

    boolean isNothing() {
        return !forwarded && !authority && !tapsForwarded && !tapsAuthority;
    }

    boolean logs(Decision decision) {
        return decision.isForwarded() ? forwarded : authority;
    }

    boolean taps(Decision decision) {
        return decision.isForwarded() ? tapsForwarded : tapsAuthority;
    }
}
