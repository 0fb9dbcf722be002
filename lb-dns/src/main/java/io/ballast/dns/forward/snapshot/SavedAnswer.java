package io.ballast.dns.forward.snapshot;

import io.ballast.dns.forward.question.ClientSubnet;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is kept, with all that is known of it. Not to be written to: {@link #message}.
 *
 * @param group of resolvers, as text that means the same in another process
 * @param flags of its question
 * @param isSecure whether all its signatures were checked
 * @param subnet for whom it is; null where networks make no difference
 * @param takenMillis when it was taken in, since 1970
 * @param message as a resolver might have sent it then, with the question in lower case
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SavedAnswer(
        String group, int flags, boolean isSecure, @Nullable SavedSubnet subnet, long takenMillis, byte[] message) {

    /**
     * For whom an answer is.
     *
     * @param network whose clients it is for
     * @param isExact whether it is only for those of whom the same is told
     * @param scope that its resolver told
     */
    public record SavedSubnet(ClientSubnet network, boolean isExact, int scope) {}
}
