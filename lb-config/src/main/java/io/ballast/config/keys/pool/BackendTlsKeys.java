package io.ballast.config.keys.pool;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.TlsKeys;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.TlsFiles;
import java.nio.file.Path;
import java.util.Optional;

/** The keys of {@code pools.NAME.tls} and {@code secondary.tls}. */
public final class BackendTlsKeys {

    private static final ShapeBuilder<BackendTls> KEYS = Shape.named(
            "backend_tls",
            "TLS to the backends of a pool, including health checks of type http, or to the primaries of"
                    + " a zone; true uses the defaults.");

    private static final Key<Path> CA = KEYS.optional(
            "ca",
            TlsKeys.FILE,
            "PEM file with the CA certificates of accepted issuers; those trusted by Java by default",
            BackendTls::ca);
    private static final Key<String> SERVER_NAME = KEYS.optional(
            "server_name",
            Scalars.matching("host", "a host such as app.internal", "[A-Za-z0-9_.:-]{1,253}"),
            "name for which the certificate must be valid, also sent as SNI; the host of the address by default",
            BackendTls::serverName);
    private static final Key<Path> CERTIFICATE = KEYS.optional(
            "certificate",
            TlsKeys.FILE,
            "PEM file with a client certificate for backends that request one",
            tls -> tls.identity().map(TlsFiles::certificate));
    private static final Key<Path> KEY = KEYS.optional(
            "key",
            TlsKeys.FILE,
            "PEM file with the private key of the client certificate",
            tls -> tls.identity().map(TlsFiles::key));
    private static final Key<Boolean> INSECURE = KEYS.optional(
            "insecure",
            Scalars.BOOLEAN,
            false,
            "true: any certificate is accepted, so anyone between Ballast and the backend can read and"
                    + " change the data",
            BackendTls::insecure);

    private static final Type<Optional<BackendTls>> SWITCH =
            Scalars.BOOLEAN.map(on -> on ? Optional.of(BackendTls.DEFAULT) : Optional.empty(), Optional::isPresent);

    /**
     * The TLS settings, written as a mapping or as a boolean: {@code true} for TLS with defaults, {@code false}
     * for no TLS.
     */
    public static final Type<Optional<BackendTls>> TLS = new BriefType<>(
            SWITCH,
            KEYS.build(BackendTlsKeys::build).map(Optional::of, Optional::orElseThrow),
            /* printsBrief= */ Optional::isEmpty);

    private BackendTlsKeys() {}

    private static BackendTls build(Values values) {
        if (values.has(CERTIFICATE) != values.has(KEY) && !values.isInvalid(CERTIFICATE) && !values.isInvalid(KEY)) {
            Key<Path> given = values.has(KEY) ? KEY : CERTIFICATE;
            values.reading()
                    .error(values.node(given), "certificate and key must be set together; one of them is missing");
        }
        Optional<TlsFiles> identity = values.has(CERTIFICATE) && values.has(KEY)
                ? Optional.of(new TlsFiles(values.get(CERTIFICATE), values.get(KEY)))
                : Optional.empty();
        boolean insecure = values.get(INSECURE);
        if (insecure && values.has(CA)) {
            values.reading().mismatch(values.node(CA), "no ca together with insecure, which disables verification");
            return new BackendTls(Optional.empty(), values.find(SERVER_NAME), identity, insecure);
        }
        return new BackendTls(values.find(CA), values.find(SERVER_NAME), identity, insecure);
    }
}
