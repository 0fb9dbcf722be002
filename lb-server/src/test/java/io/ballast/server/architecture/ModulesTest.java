package io.ballast.server.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the modules depend on each other only as the docs and POMs show. */
class ModulesTest {

    private static final String NET = "io.ballast.net..";
    private static final String CLI = "io.ballast.cli..";
    private static final String SERVER = "io.ballast.server..";

    private static final String[] ALL_BUT_CORE = {
        NET,
        "io.ballast.http..",
        "io.ballast.dns..",
        "io.ballast.dashboard..",
        "io.ballast.policy..",
        "io.ballast.acme..",
        "io.ballast.telemetry..",
        "io.ballast.config..",
        "io.ballast.discovery..",
        CLI,
        SERVER,
        "io.ballast.bench.."
    };

    @Test
    void allModulesAreAnalyzed() {
        assertThat(List.of(
                        "core",
                        "net",
                        "http",
                        "dns",
                        "dashboard",
                        "policy",
                        "acme",
                        "telemetry",
                        "config",
                        "discovery",
                        "cli",
                        "server"))
                .allSatisfy(module -> assertThat(Classes.OF_ALL_MODULES.containPackage("io.ballast." + module))
                        .isTrue());
    }

    @Test
    void coreDependsOnNoOtherModule() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ALL_BUT_CORE)
                .check(Classes.OF_ALL_MODULES);
    }

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

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @ValueSource(strings = {"net", "http", "dns", "dashboard", "acme"})
    void frontendsDependOnCoreAndNetOnly(String module) {
        String itself = "io.ballast." + module + "..";
        noClasses()
                .that()
                .resideInAPackage(itself)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others(itself))
                .allowEmptyShould(true)
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void policiesDependOnCoreNetAndHttpOnly() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.policy..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.ballast.dns..",
                        "io.ballast.dashboard..",
                        "io.ballast.config..",
                        "io.ballast.discovery..",
                        CLI,
                        SERVER)
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void telemetryDependsOnCoreAndHttpOnly() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.telemetry..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.ballast.dns..",
                        "io.ballast.dashboard..",
                        "io.ballast.policy..",
                        "io.ballast.config..",
                        "io.ballast.discovery..",
                        CLI,
                        SERVER)
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void filterApiDependsOnTheJdkOnly() {
        classes()
                .that()
                .resideInAPackage("io.ballast.filter..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.ballast.filter..", "java..", "org.jspecify.annotations..")
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
    void onlyPoliciesAndConfigUseFilterApi() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.ballast.filter..", "io.ballast.policy..", "io.ballast.config..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.ballast.filter..")
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
    void configDependsOnFrontendRecordsOnly() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.config..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.ballast.discovery..", CLI, SERVER, "io.netty..")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void discoveryDependsOnCoreNetAndConfigOnly() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.discovery..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.ballast.http..", "io.ballast.dns..", "io.ballast.dashboard..", CLI, SERVER)
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void commandsWithoutProcessDependOnNoComposition() {
        noClasses()
                .that()
                .resideInAPackage(CLI)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.ballast.http..", "io.ballast.policy..", "io.ballast.telemetry..", SERVER, "io.netty..")
                .because("they talk to a running process, or work with files only")
                .check(Classes.OF_ALL_MODULES);
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @ValueSource(
            strings = {
                "core",
                "net",
                "http",
                "dns",
                "dashboard",
                "policy",
                "acme",
                "telemetry",
                "config",
                "discovery",
                "cli",
                "server"
            })
    void packagesHaveNoCyclicDependencies(String module) {
        slices().matching("io.ballast." + module + ".(**)")
                .should()
                .beFreeOfCycles()
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void packagesHaveAtMostFortyClasses() {
        Map<String, Long> sizes = Classes.OF_ALL_MODULES.stream()
                .filter(type -> !type.isNestedClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(sizes).hasSizeGreaterThan(100);
        assertThat(sizes.entrySet().stream()
                        .filter(size -> size.getValue() > 40)
                        .toList())
                .isEmpty();
    }

    @Test
    void zoneDataDoesNotDependOnPools() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.ballast.dns.zone.contents..",
                        "io.ballast.dns.zone.source..",
                        "io.ballast.dns.zone.signing..",
                        "io.ballast.dns.zone.tree..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.ballast.core.pool..", "io.ballast.dns.zone.pool..", "io.ballast.dns.zone.service..")
                .because("what health changes is compiled apart from what is stored and signed")
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

    @Test
    void allPackagesAreNullMarked() {
        List<String> unmarked = Classes.OF_ALL_MODULES.stream()
                .map(type -> type.getPackage())
                .distinct()
                .filter(javaPackage -> !javaPackage.isAnnotatedWith(NullMarked.class))
                .map(JavaPackage::getName)
                .sorted()
                .toList();

        assertThat(unmarked)
                .as("packages whose package-info.java lacks @NullMarked")
                .isEmpty();
    }

    private static String[] others(String itself) {
        return List.of(ALL_BUT_CORE).stream()
                .filter(module -> !module.equals(itself) && !module.equals(NET))
                .toArray(String[]::new);
    }
}
