package io.ballast.http.testing;

import io.ballast.core.config.HostPort;
import io.ballast.net.testing.FreePort;
import java.io.IOException;

/** An address of this machine where nobody listens, unless the test does. */
public final class ClosedPort {

    private ClosedPort() {}

    public static HostPort find() throws IOException {
        return new HostPort("127.0.0.1", FreePort.find());
    }
}
