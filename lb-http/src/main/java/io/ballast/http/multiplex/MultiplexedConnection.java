package io.ballast.http.multiplex;

import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.head.MajorVersion;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.net.ProxiedClient;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** A client connection whose streams are requests, as its streams see it. Event-loop confined. */
public interface MultiplexedConnection {

    /** The protocol of the client. */
    MajorVersion version();

    MultiplexLoop loop();

    Listener listener();

    /** The listener settings, which the connection keeps for its lifetime. */
    ConnectionSettings settings();

    Channel channel();

    /** The client that PROXY headers identify to backends. */
    ProxiedClient proxiedClient();

    /**
     * Returns the affinity key of the connection's requests; it is not used if a trusted proxy identifies the client.
     */
    long affinity();

    /** Limits the useless work that the client can cause. */
    FloodGuard guard();

    /** The clock of the stream deadlines. */
    ConnectionClock clock();

    /** The protocol for extended CONNECT; null if it is not allowed. */
    @Nullable UpgradeProtocol webSocket();

    /** Whether {@code stream} is the number of the first request of a connection. */
    boolean isFirst(long stream);

    /** Sends everything written so far, at the latest at the end of the current turn of the event loop. */
    void flushSoon();

    /** Delays a request until all received data is read, so that its body can be sent with the head. */
    void awaitBody(ClientStream stream);

    /**
     * Resets a stream because of a client error or an incomplete response, and releases it. Does nothing if the stream
     * has ended.
     */
    void resetStream(ClientStream stream, StreamError error);

    /** Asks the client of a stream whose response is complete to send no more of its request. */
    void stopReceiving(ClientStream stream);

    /**
     * Called when the stream has ended on both sides. {@code isReset} means that {@link #stopReceiving} ended it, so the
     * client may still send data for it.
     */
    void streamEnded(ClientStream stream, boolean isReset);

    /**
     * Whether locally generated responses that wait for flow-control windows exceed the connection's memory limit.
     * Backpressure cannot limit them, because they do not come from a backend.
     */
    boolean exceedsResponseMemoryLimit();
}
