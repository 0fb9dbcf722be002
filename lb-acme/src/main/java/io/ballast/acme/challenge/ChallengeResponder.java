package io.ballast.acme.challenge;

import java.io.IOException;

/** Serves the responses to challenges. One thread at a time calls it; it may block. */
public interface ChallengeResponder {

    /**
     * Serves a response until it is withdrawn. Returns when the listeners and zones of this process serve it.
     *
     * @throws IOException if it cannot be served; the message gives the reason
     */
    void publish(ChallengeResponse response) throws IOException, InterruptedException;

    /** Stops serving a response. Does nothing if it is not served. */
    void withdraw(ChallengeResponse response);
}
