package io.ballast.dns.querylog;

/**
 * Determines which queries are recorded, and where. Immutable.
 *
 * @param logsForwarded whether queries for names outside the zones are logged
 * @param logsAuthority whether queries for names in the zones are logged
 * @param sampleInterval sampling rate: one in this many queries
 * @param tapsForwarded whether messages of forwarded queries go to dnstap
 * @param tapsAuthority whether messages of other queries go to dnstap
 */
record RecordingPolicy(
        boolean logsForwarded,
        boolean logsAuthority,
        int sampleInterval,
        boolean tapsForwarded,
        boolean tapsAuthority) {

    boolean isEmpty() {
        return !logsForwarded && !logsAuthority && !tapsForwarded && !tapsAuthority;
    }

    boolean shouldLog(Decision decision) {
        return decision.isForwarded() ? logsForwarded : logsAuthority;
    }

    boolean shouldTap(Decision decision) {
        return decision.isForwarded() ? tapsForwarded : tapsAuthority;
    }
}
