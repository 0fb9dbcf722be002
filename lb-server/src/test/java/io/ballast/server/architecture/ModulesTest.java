package io.ballast.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the modules depend on each other only as the docs and POMs show. */
class ModulesTest {

    private static final String NET = "io.ballast.net..";
    private static final String REPLICATION = "io.ballast.replication..";
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
        "io.ballast.agent..",
        "io.ballast.config..",
        "io.ballast.discovery..",
        REPLICATION,
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
                        "agent",
                        "config",
                        "discovery",
                        "replication",
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
                        REPLICATION,
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
                        REPLICATION,
                        CLI,
                        SERVER)
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void agentsDependOnCoreNetAndDashboardOnly() {
        noClasses()
                .that()
                .resideInAPackage("io.ballast.agent..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.ballast.http..",
                        "io.ballast.dns..",
                        "io.ballast.policy..",
                        "io.ballast.config..",
                        "io.ballast.discovery..",
                        REPLICATION,
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

    private static String[] others(String itself) {
        return List.of(ALL_BUT_CORE).stream()
                .filter(module -> !module.equals(itself) && !module.equals(NET))
                .toArray(String[]::new);
    }
}
