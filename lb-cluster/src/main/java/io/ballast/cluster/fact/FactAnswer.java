package io.ballast.cluster.fact;

import java.nio.ByteBuffer;

/**
 * The result of a {@link FactCommand}.
 *
 * @param version the version of the fact after the command
 */
record FactAnswer(Outcome outcome, long version) {

    enum Outcome {
        /** The fact has the value of the command, or is absent if the command removes it. */
        APPLIED,
        /** Nothing changed: the fact has another version than expected. */
        CONFLICT,
        /** Nothing changed: there are too many facts, or their values are too large. */
        FULL,
        /** Nothing changed: this version of Ballast does not know the command. */
        MALFORMED
    }

    byte[] encode() {
        return ByteBuffer.allocate(1 + Long.BYTES)
                .put((byte) outcome.ordinal())
                .putLong(version)
                .array();
    }

    ProposalResult result() {
        return switch (outcome) {
            case APPLIED -> ProposalResult.COMMITTED;
            case CONFLICT -> ProposalResult.OVERTAKEN;
            case FULL -> ProposalResult.FULL;
            case MALFORMED -> ProposalResult.UNKNOWN;
        };
    }

    static FactAnswer decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int outcome = in.get();
        Outcome[] all = Outcome.values();
        return new FactAnswer(outcome >= 0 && outcome < all.length ? all[outcome] : Outcome.MALFORMED, in.getLong());
    }
}
