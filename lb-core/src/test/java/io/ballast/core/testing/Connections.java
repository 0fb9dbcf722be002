package io.ballast.core.testing;

import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.ConnectionReuse;
import io.ballast.core.config.ResponseLimits;
import io.ballast.core.config.SentProxyHeader;
import java.time.Duration;

/**
 * Builds connection settings for tests. Settings that are not set have their defaults. Only the connect timeout is
 * longer, because connecting with TLS may take long on a busy machine.
 */
public final class Connections {

    private Duration connectTimeout = Duration.ofSeconds(20);
    private Duration responseTimeout = BackendConnections.DEFAULT.responseTimeout();
    private Duration bodyIdleTimeout = BackendConnections.DEFAULT.bodyIdleTimeout();
    private Duration idleTimeout = BackendConnections.DEFAULT.idleTimeout();
    private Duration maxAge = BackendConnections.DEFAULT.maxAge();
    private int maxInFlight = BackendConnections.DEFAULT.maxInFlight();
    private int maxConnections = BackendConnections.DEFAULT.maxConnections();
    private int pipelining = BackendConnections.DEFAULT.pipelining();
    private int maxIdlePerLoop = BackendConnections.DEFAULT.maxIdlePerLoop();
    private int attempts = BackendConnections.DEFAULT.attempts();
    private SentProxyHeader proxyHeader = SentProxyHeader.NONE;
    private ConnectionReuse reuse = ConnectionReuse.ALWAYS;

    public Connections connectTimeout(Duration time) {
        connectTimeout = time;
        return this;
    }

    private BackendProtocol protocol = BackendProtocol.HTTP1;
    private ResponseLimits responseLimits = ResponseLimits.DEFAULT;

    public Connections responseTimeout(Duration time) {
        responseTimeout = time;
        return this;
    }

    public Connections bodyIdleTimeout(Duration time) {
        bodyIdleTimeout = time;
        return this;
    }

    public Connections idleTimeout(Duration time) {
        idleTimeout = time;
        return this;
    }

    /**
     * Sets the same timeout for connecting, the response, its body and an idle connection. Afterwards, the test
     * sets the timeout that it examines.
     */
    public Connections deadlines(Duration time) {
        return connectTimeout(time).responseTimeout(time).bodyIdleTimeout(time).idleTimeout(time);
    }

    public Connections maxAge(Duration time) {
        maxAge = time;
        return this;
    }

    public Connections maxInFlight(int max) {
        maxInFlight = max;
        return this;
    }

    public Connections maxConnections(int max) {
        maxConnections = max;
        return this;
    }

    public Connections pipelining(int depth) {
        pipelining = depth;
        return this;
    }

    public Connections maxIdlePerLoop(int max) {
        maxIdlePerLoop = max;
        return this;
    }

    public Connections attempts(int max) {
        attempts = max;
        return this;
    }

    public Connections reuse(ConnectionReuse value) {
        reuse = value;
        return this;
    }

    public Connections proxyHeader(SentProxyHeader version) {
        proxyHeader = version;
        return this;
    }

    public Connections responseLimits(ResponseLimits limits) {
        responseLimits = limits;
        return this;
    }

    public Connections protocol(BackendProtocol newProtocol) {
        protocol = newProtocol;
        return this;
    }

    public BackendConnections build() {
        return new BackendConnections(
                connectTimeout,
                responseTimeout,
                bodyIdleTimeout,
                idleTimeout,
                maxAge,
                maxIdlePerLoop,
                maxInFlight,
                maxConnections,
                attempts,
                pipelining,
                responseLimits,
                protocol,
                proxyHeader,
                reuse);
    }
}
