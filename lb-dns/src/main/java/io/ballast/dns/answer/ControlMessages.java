package io.ballast.dns.answer;

import io.ballast.dns.forward.Deferral;

/**
 * Takes on what is more than a plain query: NOTIFY, UPDATE, queries for transfers, and all that is signed.
 *
 * <p>Thread safety: shared by all answering threads. Cost: a copy of the message; whatever else it takes happens on another thread.
 */
@FunctionalInterface
public interface ControlMessages {

    /**
     * Takes on a message, which is copied, and keeps the way back to who sent it.
     *
     * @return false, without having kept the way back, if there is no room for more
     */
    boolean accept(byte[] message, int length, Client client, Transport transport, Deferral deferral);
}
