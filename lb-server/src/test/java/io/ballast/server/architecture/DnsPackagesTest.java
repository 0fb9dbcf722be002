package io.ballast.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;

/** Tests which packages of {@code lb-dns} depend on each other. */
class DnsPackagesTest {

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
}
