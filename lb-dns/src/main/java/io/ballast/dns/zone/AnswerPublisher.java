package io.ballast.dns.zone;

import io.ballast.dns.answer.data.AnswerTable;
import io.ballast.dns.answer.data.NameAnswers;
import io.ballast.dns.answer.data.PublishedAnswers;
import io.ballast.dns.answer.data.ZoneTable;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.pool.PoolView;
import io.ballast.dns.zone.service.ServedName;
import io.ballast.dns.zone.service.Service;
import io.ballast.dns.zone.signing.SignedZones;
import io.ballast.dns.zone.signing.ZoneSigners;
import io.ballast.dns.zone.tree.CompiledZone;
import io.ballast.dns.zone.tree.NameTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Compiles services, adds their answers to the answers of the zones, and publishes the resulting answer
 * tables.
 *
 * <p>Thread safety: confined to the compiler thread, except {@link #close}.
 */
final class AnswerPublisher {

    private final NameTree tree;
    private final Services services;
    /** The signers for the answers of services. */
    private final ZoneSigners signers;

    private final PublishedAnswers published;
    private final Supplier<PoolView> pools;
    /** All answers except the addresses of services. */
    private FixedAnswers fixed;

    private volatile boolean closed;

    /**
     * @param fixed the answers of the zones without services
     * @param published object to which the answer tables are published
     * @param pools supplier of the current state of the pools
     */
    AnswerPublisher(
            NameTree tree,
            Services services,
            SignedZones signed,
            FixedAnswers fixed,
            PublishedAnswers published,
            Supplier<PoolView> pools) {
        this.tree = tree;
        this.services = services;
        this.signers = signed.signers(this::signedZone);
        this.fixed = fixed;
        this.published = published;
        this.pools = pools;
    }

    private SignedZone signedZone(ZoneContents zone) {
        return Objects.requireNonNull(fixed.signed().get(zone.apex()), "no signer for a signed zone");
    }

    /** Compiles the given services and publishes their answers. */
    void compile(List<Service> some) {
        compile(some, pools.get());
    }

    /** Compiles the services whose alias targets have changed addresses. */
    void compileAliasServices(Set<String> changed) {
        compile(services.all().stream()
                .filter(service -> !Collections.disjoint(service.aliases(), changed))
                .toList());
    }

    /** Compiles the services in {@code some} whose answers are outdated. */
    void compileStale(List<Service> some) {
        PoolView view = pools.get();
        compile(some.stream().filter(service -> service.isStale(view)).toList(), view);
    }

    private void compile(List<Service> some, PoolView view) {
        if (closed || some.isEmpty()) {
            return;
        }
        some.forEach(service -> service.compile(view));
        AnswerTable current = published.current();
        published.publish(current.with(withServices(some, current)));
    }

    /**
     * Compiles the first answers of the services, except for unchanged services in unchanged zones.
     *
     * @param replaced the publisher of the active zones; its answers and signatures are reused
     * @param shared the services that continue with the learned state of active services
     */
    void compileFirst(AnswerPublisher replaced, Set<Service> shared) {
        signers.takeOver(replaced.signers);
        services.all().stream().filter(shared::contains).forEach(Service::takeOver);
        Set<Integer> same = fixed.zonesSharedWith(replaced.fixed);
        AnswerTable earlier = replaced.published.current();
        published.publish(published
                .current()
                .with(same.stream().map(number -> earlier.zone(number)).toList()));
        compile(services.all().stream()
                .filter(service -> !(shared.contains(service)
                        && service.names().stream().allMatch(name -> same.contains(name.zone()))))
                .toList());
    }

    /** Publishes newly signed zones with the current services. */
    void adopt(FixedAnswers next) {
        if (closed) {
            return;
        }
        Map<Integer, ZoneTable> changed = next.changedSince(fixed);
        fixed = next;
        List<Service> inside = services.all().stream()
                .filter(service -> service.names().stream().anyMatch(name -> changed.containsKey(name.zone())))
                .toList();
        PoolView view = pools.get();
        inside.forEach(service -> service.compile(view));
        AnswerTable renewed = published.current().with(List.copyOf(changed.values()));
        published.publish(renewed.with(withServices(inside, renewed)));
    }

    /** Returns the tables of all zones that contain a service in {@code some}, with its last compiled answers. */
    private List<ZoneTable> withServices(List<Service> some, AnswerTable table) {
        Map<Integer, NameAnswers[]> changed = new HashMap<>();
        for (Service service : some) {
            for (ServedName name : service.names()) {
                CompiledZone recorded = Objects.requireNonNull(fixed.zone(name.zone()), "no zone contains the service");
                NameAnswers all = services.addTo(recorded.answers(name.index()), name.name());
                changed.computeIfAbsent(
                                        name.zone(),
                                        number -> table.zone(number).copyOfAnswers())[name.index()] =
                        tree.signed(name.name(), name.zone(), all, signers);
            }
        }
        List<ZoneTable> tables = new ArrayList<>();
        changed.forEach((number, answers) -> tables.add(table.zone(number).with(answers)));
        return tables;
    }

    /** Stops publishing; published answers remain. Any thread may call it. */
    void close() {
        closed = true;
    }
}
