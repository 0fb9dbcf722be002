package io.ballast.dns.net;

/**
 * Serves DNS over UDP on one address until it is closed: takes the datagrams that wait as a batch, answers each on the
 * thread that received it, and sends the responses of a batch together.
 */
public interface UdpServer extends AutoCloseable {

    /** Stops serving and closes the sockets. */
    @Override
    void close();
}
