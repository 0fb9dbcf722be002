package io.ballast.dns.answer;

import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.Deferral;

/**
 * Handles control messages: NOTIFY, UPDATE, zone transfer queries, and all signed messages.
 *
 * <p>Thread safety: shared by all answering threads. Cost: copies the message, which another thread
 * processes.
 */
@FunctionalInterface
public interface ControlMessages {

    /**
     * Accepts a message: copies it and creates its reply path.
     *
     * @return false if the queue is full; no reply path is created in that case
     */
    boolean accept(byte[] message, int length, Client client, Transport transport, Deferral deferral);
}
