package io.ballast.server.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which packages of {@code lb-http} depend on each other. */
class HttpPackagesTest {

    @Test
    void bytesPackageDependsOnNothing() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.http.bytes..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.ballast..").and(not(resideInAPackage("io.ballast.http.bytes.."))))
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void wireFormatDependsOnNeitherSide() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.http.h1.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.ballast.http.h1.client..", "io.ballast.http.h1.backend..", "io.ballast.http.forwarding..")
                .check(Classes.OF_ALL_MODULES);
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0} and {1}")
    @CsvSource({"client, backend", "backend, client"})
    void http1SidesMeetInExchangeOnly(String room, String other) {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.http.h1." + room + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.ballast.http.h1." + other + "..")
                .because("either side may speak another protocol than the other")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void http2FramesDependOnNeitherSide() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.http.h2.wire..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.ballast..")
                        .and(not(resideInAnyPackage("io.ballast.http.h2.wire..", "io.ballast.http.head.."))))
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void http2ClientsMeetBackendsInExchangeOnly() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.http.h2.client..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.ballast.http..")
                        .and(not(resideInAnyPackage(
                                "io.ballast.http.h2.client..",
                                "io.ballast.http.h2.wire..",
                                "io.ballast.http.h2.flow..",
                                "io.ballast.http.multiplex..",
                                "io.ballast.http.h1.wire..",
                                "io.ballast.http.config..",
                                "io.ballast.http.forwarding..",
                                "io.ballast.http.head..",
                                "io.ballast.http.serving..",
                                "io.ballast.http.exchange..",
                                "io.ballast.http.header..",
                                "io.ballast.http.local..",
                                "io.ballast.http.log..",
                                "io.ballast.http.net..",
                                "io.ballast.http.bytes..",
                                "io.ballast.http.policy..",
                                "io.ballast.http.relay..",
                                "io.ballast.http.trace..",
                                "io.ballast.http.route.."))))
                .because("either side may speak another protocol than the other")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void onlyVersionDetectionUsesHttp2Clients() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.ballast.http", "io.ballast.http.h2.client..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.ballast.http.h2.client..")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void multiplexedClientsMeetBackendsInExchangeOnly() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.http.multiplex..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.ballast.http.h1.client..",
                        "io.ballast.http.h1.backend..",
                        "io.ballast.http.h2.backend..",
                        "io.ballast.http.h2.client..",
                        "io.ballast.http.h2.flow..",
                        "io.ballast.http.h3..")
                .because("the streams of HTTP/2 and HTTP/3 differ only in their framing")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void onlyFrontendUsesHttp3Clients() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.ballast.http", "io.ballast.http.h3..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.ballast.http.h3..")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void sharedClientCodeDependsOnNoVersion() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.ballast.http.serving..", "io.ballast.http.forwarding..", "io.ballast.http.head..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.ballast.http.h1.client..", "io.ballast.http.h1.backend..", "io.ballast.http.h2..")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void exchangeDependsOnNoHttpVersion() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.http.exchange..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.ballast.http.h1.client..", "io.ballast.http.h1.backend..", "io.ballast.http.h2..")
                .because("it uses only the chunked coding of h1.wire, for bodies that a policy changes")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void relayDependsOnNoHttpAndNoBuffers() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.http.relay..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.ballast.http..")
                        .and(not(resideInAnyPackage("io.ballast.http.relay..", "io.ballast.http.net.."))))
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("io.netty.buffer..")
                .because("a relay of TCP picks, waits and tries again in the same way")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void routeConditionsDoNotDependOnDestinations() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.ballast.http.route.condition..",
                        "io.ballast.http.route.regex..",
                        "io.ballast.http.route.request..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.ballast.http.route",
                        "io.ballast.http.route.destination..",
                        "io.ballast.http.header..",
                        "io.ballast.core.pool..")
                .check(Classes.OF_ALL_MODULES);
    }
}
