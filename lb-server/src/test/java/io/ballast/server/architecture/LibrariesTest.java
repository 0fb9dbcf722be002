package io.ballast.server.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;

/** Tests that each library is used only by the module or package that wraps it. */
class LibrariesTest {

    private static final String NET = "io.ballast.net..";
    private static final String CLI = "io.ballast.cli..";
    private static final String SERVER = "io.ballast.server..";

    @Test
    void coreUsesNoNetworkDnsOrParserLibrary() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "org.xbill..", "com.fasterxml..", "org.yaml..", "io.micrometer..")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void onlyTelemetryUsesOpenTelemetry() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.ballast.telemetry..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void onlyOrdersUseAcmeLibrary() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.ballast.acme.order..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.shredzone..")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void onlyCertificateAuthoritiesUseBouncyCastle() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.ballast.acme..", "io.ballast.cluster.identity..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bouncycastle..")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void onlyHttp3UsesQuic() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.ballast.http", "io.ballast.http.h3..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty.handler.codec.quic..", "io.netty.handler.codec.http3..")
                .because("their classes are loaded only if a listener has HTTP/3")
                .check(Classes.OF_ALL_MODULES);
    }

    /** {@code EpollChannelOption} is allowed where a socket needs an option that no other transport has. */
    @Test
    void onlyNetUsesTransports() {
        noClasses()
                .that()
                .resideOutsideOfPackage(NET)
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "io.netty.channel.epoll..",
                                "io.netty.channel.uring..",
                                "io.netty.channel.nio..",
                                "io.netty.channel.socket.nio..")
                        .and(not(simpleName("EpollChannelOption"))))
                .because("NettyTransport chooses among them, once")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void onlyNetCreatesTlsContexts() {
        noClasses()
                .that()
                .resideOutsideOfPackage(NET)
                .should()
                .dependOnClassesThat()
                .haveSimpleName("SslContextBuilder")
                .because("TlsContext says which versions and ciphers are spoken, and replaces certificates")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void onlyCliAndServerHaveCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackages(CLI, SERVER)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void onlyServerUsesLoggingImplementation() {
        noClasses()
                .that()
                .resideOutsideOfPackage(SERVER)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ch.qos.logback..")
                .check(Classes.OF_ALL_MODULES);
    }
}
