package io.ballast.http.testing;

import io.ballast.core.config.HostPort;
import io.ballast.net.testing.FreePort;
import java.io.IOException;

/** A local address without a listener, unless the test opens one. */
public final class ClosedPort {

    private ClosedPort() {}

    public static HostPort find() throws IOException {
        return new HostPort("127.0.0.1", FreePort.find());
    }
}
