package io.ballast.http.background;

import io.ballast.core.config.Address;
import io.ballast.core.config.BackendProtocol;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;

/** A backend that speaks HTTP/1.1 or HTTP/2. */
record BackgroundPeer(Address address, AutoCloseable server) implements AutoCloseable {

    static BackgroundPeer start(BackendProtocol protocol, Script first, Http2Script second) {
        if (protocol == BackendProtocol.HTTP1) {
            TestBackend backend = TestBackend.playing(first);
            return new BackgroundPeer(backend.address(), backend);
        }
        Http2TestBackend backend = Http2TestBackend.playing(second);
        return new BackgroundPeer(backend.address(), backend);
    }

    /** Answers each request with this body. */
    static BackgroundPeer ok(BackendProtocol protocol, String body) {
        return start(protocol, Script.ok(body), Http2Script.ok(body));
    }

    /** Reads requests and never responds. */
    static BackgroundPeer silent(BackendProtocol protocol) {
        return start(protocol, Script.silence(), Http2Script.serving((connection, request) -> {}));
    }

    @Override
    public void close() throws Exception {
        server.close();
    }
}
