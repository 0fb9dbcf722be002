package io.ballast.http.h2.client;

import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.multiplex.ClientStream;

/**
 * One request of an HTTP/2 client and its response. The connection reuses the object for later streams, so that steady
 * traffic allocates no stream objects. Event-loop confined.
 */
final class Http2Stream extends ClientStream {

    private final Http2Connection connection;
    private final StreamOutput output;

    Http2Stream(Http2Connection connection, ClientAddress address) {
        this(connection, address, new Http2ResponseStream(connection.flow()));
    }

    private Http2Stream(Http2Connection connection, ClientAddress address, Http2ResponseStream response) {
        super(connection, address, response, new Http2RequestWindow(connection.frames()));
        this.connection = connection;
        this.output = response.output();
        response.resumeBy(this::pump);
    }

    /** Sends the data of the response within the windows. */
    StreamOutput output() {
        return output;
    }

    /** Changes the send window; false if it exceeds the maximum. */
    boolean windowUpdate(int increment) {
        if (!output.grow(increment)) {
            return false;
        }
        ((Http2ResponseStream) response()).allow(increment);
        windowChanged();
        if (output.isWaiting()) {
            connection.flow().enqueue(output);
        }
        return true;
    }
}
