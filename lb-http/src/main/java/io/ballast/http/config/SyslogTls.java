package io.ballast.http.config;

import io.ballast.core.Checks;
import io.ballast.net.fetch.CaFile;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * How a syslog server is verified (RFC 5425 section 5.2): a trusted authority must have issued its certificate, and the
 * certificate must contain its name or address.
 *
 * @param ca the authorities; empty for the authorities that the Java runtime trusts
 * @param serverName the name in the server's certificate, which the client also sends as SNI; empty for its IP address
 */
public record SyslogTls(Optional<CaFile> ca, Optional<String> serverName) {

    public static final SyslogTls DEFAULT = new SyslogTls(Optional.empty(), Optional.empty());

    private static final String NAME = "[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63}){0,20}";

    public SyslogTls {
        serverName.ifPresent(
                name -> Checks.that(name.matches(NAME), "server_name", name, "a host name such as logs.example"));
    }

    /** Returns a source of TLS engines, each for one connection to a server. */
    public Supplier<SSLEngine> engines(SyslogServer server) {
        SSLContext context = ca.map(CaFile::sslContext).orElseGet(SyslogTls::runtime);
        String host = serverName.orElse(server.address().toString());
        return () -> {
            SSLEngine engine = context.createSSLEngine(host, server.port());
            engine.setUseClientMode(true);
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
            return engine;
        };
    }

    private static SSLContext runtime() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the Java runtime has no TLS", e);
        }
    }
}
