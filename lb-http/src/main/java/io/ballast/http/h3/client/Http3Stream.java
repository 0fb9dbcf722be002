package io.ballast.http.h3.client;

import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.multiplex.ClientStream;
import org.jspecify.annotations.Nullable;

/**
 * One request of an HTTP/3 client and its response. The connection reuses the object for later streams. Event-loop
 * confined.
 */
final class Http3Stream extends ClientStream {

    private final Http3ResponseStream output;
    private final Http3RequestWindow window;
    private @Nullable Http3StreamHandler handler;

    Http3Stream(Http3Connection connection, ClientAddress address) {
        this(connection, address, new Http3ResponseStream(connection), new Http3RequestWindow());
    }

    private Http3Stream(
            Http3Connection connection, ClientAddress address, Http3ResponseStream output, Http3RequestWindow window) {
        super(connection, address, output, window);
        this.output = output;
        this.window = window;
    }

    /** Sets the handler of the QUIC stream that the object serves from now on. */
    void attach(Http3StreamHandler stream) {
        handler = stream;
        output.attach(stream);
        window.attach(stream);
    }

    /** The handler of the QUIC stream; null before the first one. */
    @Nullable Http3StreamHandler handler() {
        return handler;
    }

    Http3RequestWindow window() {
        return window;
    }
}
