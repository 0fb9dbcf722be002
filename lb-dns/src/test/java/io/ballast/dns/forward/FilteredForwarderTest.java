package io.ballast.dns.forward;

import io.ballast.core.control.ControlPlane;
import io.ballast.dns.testing.FakeResolver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of the rule tests: a resolver with known answers, a control plane, and a directory for lists. */
abstract class FilteredForwarderTest {

    @TempDir
    Path directory;

    FakeResolver resolver;
    ControlPlane control;

    @BeforeEach
    void start() throws IOException {
        resolver = new FakeResolver("192.0.2.1");
        control = ControlPlane.start(Clock.systemUTC());
    }

    @AfterEach
    void stop() throws IOException {
        control.close();
        resolver.close();
    }
}
