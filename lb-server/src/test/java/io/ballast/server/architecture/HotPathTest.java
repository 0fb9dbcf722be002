package io.ballast.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.net.InetAddress;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Restrictions for the code that every request and every query passes through: no waiting, no locks, no
 * system calls for the time of day, no name resolution, no text formatting.
 */
class HotPathTest {

    private static final String[] HOT_PACKAGES = {
        "io.ballast.core.balance..",
        "io.ballast.core.stats..",
        "io.ballast.net.budget..",
        "io.ballast.net.clientlimit..",
        "io.ballast.net.timer..",
        "io.ballast.http.background..",
        "io.ballast.http.exchange..",
        "io.ballast.http.h1..",
        "io.ballast.http.h2..",
        "io.ballast.http.h3..",
        "io.ballast.http.head..",
        "io.ballast.http.mirror..",
        "io.ballast.http.multiplex..",
        "io.ballast.http.relay..",
        "io.ballast.http.route..",
        "io.ballast.http.serving..",
        "io.ballast.http.session..",
        "io.ballast.http.tcp..",
        "io.ballast.http.udp..",
        "io.ballast.dns.answer..",
        "io.ballast.dns.forward.cache..",
        "io.ballast.dns.protect..",
        "io.ballast.dns.wire..",
    };

    @Test
    void usesNoLock() {
        noClasses()
                .that()
                .resideInAnyPackage(HOT_PACKAGES)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.concurrent.locks..")
                .allowEmptyShould(true)
                .because("a lock lets one slow thread stop every event loop; publish an immutable snapshot instead")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void hasNoSynchronizedMethod() {
        methods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAnyPackage(HOT_PACKAGES)
                .should()
                .notHaveModifier(JavaModifier.SYNCHRONIZED)
                .allowEmptyShould(true)
                .because("a monitor is a lock")
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void usesInjectedClock() {
        mustNotCall(
                System.class, Set.of("currentTimeMillis"), "time comes from an injected clock, so tests can set it");
    }

    @Test
    void doesNotSleep() {
        mustNotCall(Thread.class, Set.of("sleep"), "everything else on the event loop would sleep too");
    }

    @Test
    void resolvesNoNames() {
        mustNotCall(InetAddress.class, Set.of("getByName", "getAllByName"), "a lookup blocks the event loop");
    }

    @Test
    void formatsNoText() {
        mustNotCall(String.class, Set.of("format", "formatted"), "it parses its pattern and allocates at every call");
    }

    private static void mustNotCall(Class<?> owner, Set<String> names, String reason) {
        noClasses()
                .that()
                .resideInAnyPackage(HOT_PACKAGES)
                .should()
                .callMethodWhere(new DescribedPredicate<>("%s.%s", owner.getSimpleName(), names) {
                    @Override
                    public boolean test(JavaMethodCall call) {
                        return call.getTargetOwner().isEquivalentTo(owner) && names.contains(call.getName());
                    }
                })
                .allowEmptyShould(true)
                .because(reason)
                .check(Classes.OF_ALL_MODULES);
    }
}
