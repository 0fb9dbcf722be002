package io.ballast.dns.forward.cache;

/**
 * Says whether what an answer leads to is blocked. The meaning of verdicts is its own; {@link #NONE} is none.
 *
 * <p>Thread safety: confined to one thread.
 */
public interface AnswerJudge {

    long NONE = 0;

    /** Blocks nothing. */
    AnswerJudge OPEN = new AnswerJudge() {
        @Override
        public long alias(byte[] name, int length) {
            return NONE;
        }

        @Override
        public long address(int type, byte[] message, int at, int length) {
            return NONE;
        }

        @Override
        public boolean isBlocked(long verdict) {
            return false;
        }

        @Override
        public boolean isAllowed(long verdict) {
            return false;
        }
    };

    /** Judges a name that the asked one is an alias of, in lower case and wire format. */
    long alias(byte[] name, int length);

    /** Judges an address, of {@code length} octets. */
    long address(int type, byte[] message, int at, int length);

    boolean isBlocked(long verdict);

    boolean isAllowed(long verdict);
}
