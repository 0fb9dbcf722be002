package io.ballast.dns.forward.snapshot;

import io.ballast.dns.forward.question.ClientSubnet;
import org.jspecify.annotations.Nullable;

/**
 * A cached answer in a snapshot file. Callers must not modify {@link #message}.
 *
 * @param group the upstream group, as text that is the same in every process
 * @param flags the flags of the question
 * @param isSecure whether the answer was validated as secure
 * @param subnet the scope of the answer; null if the answer does not depend on the client's network
 * @param receivedMillis the time of caching, in milliseconds since 1970
 * @param message the message as sent by a resolver, with the question in lower case
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
public record SavedAnswer(
        String group, int flags, boolean isSecure, @Nullable SavedSubnet subnet, long receivedMillis, byte[] message) {

    /**
     * The scope of an answer.
     *
     * @param network the network of the clients
     * @param isExact whether the answer is valid only for queries with exactly this subnet
     * @param scope the scope in the resolver's response
     */
    public record SavedSubnet(ClientSubnet network, boolean isExact, int scope) {}
}
