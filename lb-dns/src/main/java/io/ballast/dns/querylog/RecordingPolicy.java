package io.ballast.dns.querylog;

/**
 * The parts of queries that are recorded. Immutable.
 *
 * @param forwarded whether queries for names outside the zones are logged
 * @param authority whether queries for names in the zones are logged
 * @param sample sampling rate: one in this many queries
 * @param tapsForwarded whether messages of forwarded queries go to dnstap
 * @param tapsAuthority whether messages of other queries go to dnstap
 */
record RecordingPolicy(boolean forwarded, boolean authority, int sample, boolean tapsForwarded, boolean tapsAuthority) {

    boolean isEmpty() {
        return !forwarded && !authority && !tapsForwarded && !tapsAuthority;
    }

    boolean shouldLog(Decision decision) {
        return decision.isForwarded() ? forwarded : authority;
    }

    boolean shouldTap(Decision decision) {
        return decision.isForwarded() ? tapsForwarded : tapsAuthority;
    }
}
