package io.ballast.discovery;

import io.ballast.config.key.Addresses;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.balance.Member;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Membership;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks and applies operators' edits of backends, one at a time, and records them in the timeline. */
public final class BackendEditor implements Membership {

    private static final Logger LOG = LoggerFactory.getLogger(BackendEditor.class);
    private static final String EXPECTED = "host:port such as 10.0.0.1:8080, [2001:db8::1]:8080 or app.local:8080";

    private final ControlPlane control;
    private final Discovery discovery;
    private final Supplier<Topology> topology;
    private final SharedEdits.Listener listener;

    /**
     * @param topology supplies the active topology
     * @param listener is notified of each edit; must not block
     */
    public BackendEditor(
            ControlPlane control, Discovery discovery, Supplier<Topology> topology, SharedEdits.Listener listener) {
        this.control = control;
        this.discovery = discovery;
        this.topology = topology;
        this.listener = listener;
    }

    /**
     * The decision about an edit, made after all earlier edits have become active.
     *
     * @param next the edits to activate; absent if the edit is refused, see {@code refusal}
     * @param text the text for the timeline
     */
    private record Decision(Optional<BackendEdits> next, Kind refusal, String text) {

        static Decision refuse(Kind refusal) {
            return new Decision(Optional.empty(), refusal, "");
        }

        static Decision approve(BackendEdits next, String text) {
            return new Decision(Optional.of(next), Kind.DONE, text);
        }
    }

    /** A mutable holder of a decision; confined to the control plane's thread. */
    private static final class DecisionHolder {
        private BackendEdits before = BackendEdits.NONE;
        private Decision decision = Decision.refuse(Kind.REFUSED);
    }

    /**
     * A backend of a pool at the time of the edit.
     *
     * @param member absent if the backend is not in the pool
     * @param fileEntry the backend's entry in the configuration file, if there is one
     */
    private record Subject(
            BackendEdits.Key key,
            Pool pool,
            Optional<BackendConfig> member,
            Optional<BackendConfig> fileEntry,
            BackendEdits edits) {

        boolean isAdded() {
            return edits.find(key.pool(), key.address())
                    .filter(edit -> edit.kind() == BackendEdit.Kind.ADDED)
                    .isPresent();
        }

        boolean isLastUsable() {
            List<String> usable = pool.members().stream()
                    .filter(Member::isUsable)
                    .map(each -> each.backend().address().toString())
                    .toList();
            return usable.equals(List.of(key.address().toString()));
        }
    }

    @Override
    public CompletableFuture<Outcome> add(String pool, String address, Settings settings, OverrideTerms terms) {
        HostPort where = Addresses.requireConnectable(Addresses.parse(address, EXPECTED));
        BackendConfig added = with(new BackendConfig(where, 1, BackendConfig.DEFAULT_PRIORITY), settings);
        return decide(
                pool,
                where.toString(),
                terms,
                edits -> decideFor(pool, where.toString(), edits, subject -> {
                    if (subject.member().isPresent()) {
                        return Decision.refuse(Kind.ALREADY_THERE);
                    }
                    Optional<BackendEdit> removed = edits.find(pool, where);
                    BackendEdit edit = removed.isPresent() && removed.get().kind() == BackendEdit.Kind.REMOVED
                            ? new BackendEdit(
                                    BackendEdit.Kind.CHANGED,
                                    with(removed.get().backend(), settings),
                                    removed.get().fileEntry(),
                                    terms)
                            : new BackendEdit(BackendEdit.Kind.ADDED, added, Optional.empty(), terms);
                    return Decision.approve(edits.with(subject.key(), edit), "added");
                }));
    }

    @Override
    public CompletableFuture<Outcome> set(
            String pool, String address, Settings settings, OverrideTerms terms, boolean confirmed) {
        return decide(
                pool,
                address,
                terms,
                edits -> decideFor(pool, address, edits, subject -> {
                    if (subject.member().isEmpty()) {
                        return Decision.refuse(Kind.NO_SUCH_BACKEND);
                    }
                    BackendConfig next = with(subject.member().get(), settings);
                    if (next.weight() == 0 && !confirmed && subject.isLastUsable()) {
                        return Decision.refuse(Kind.LAST_USABLE);
                    }
                    BackendEdit edit = subject.isAdded()
                            ? new BackendEdit(BackendEdit.Kind.ADDED, next, Optional.empty(), terms)
                            : new BackendEdit(BackendEdit.Kind.CHANGED, next, subject.fileEntry(), terms);
                    return Decision.approve(
                            edits.with(subject.key(), edit),
                            "weighs " + next.weight() + (next.backup() ? " as a backup" : ""));
                }));
    }

    @Override
    public CompletableFuture<Outcome> remove(String pool, String address, OverrideTerms terms, boolean confirmed) {
        return decide(
                pool,
                address,
                terms,
                edits -> decideFor(pool, address, edits, subject -> {
                    if (subject.member().isEmpty()) {
                        return Decision.refuse(Kind.NO_SUCH_BACKEND);
                    }
                    if (!confirmed && subject.isLastUsable()) {
                        return Decision.refuse(Kind.LAST_USABLE);
                    }
                    return Decision.approve(
                            subject.isAdded()
                                    ? edits.without(subject.key())
                                    : edits.with(
                                            subject.key(),
                                            new BackendEdit(
                                                    BackendEdit.Kind.REMOVED,
                                                    subject.member().get(),
                                                    subject.fileEntry(),
                                                    terms)),
                            "removed");
                }));
    }

    @Override
    public CompletableFuture<Outcome> reset(
            String pool, Optional<String> address, OverrideTerms terms, boolean confirmed) {
        return decide(pool, address.orElse(""), terms, edits -> {
            Pool found = topology.get().pools().get(pool);
            if (found == null) {
                return Decision.refuse(Kind.NO_SUCH_POOL);
            }
            BackendEdits next = edits;
            for (BackendEdit each : edits.of(pool)) {
                if (address.isEmpty() || each.backend().address().toString().equals(address.get())) {
                    next = next.without(
                            new BackendEdits.Key(pool, each.backend().address()));
                }
            }
            if (next.equals(edits)) {
                return Decision.refuse(address.isPresent() ? Kind.NO_SUCH_BACKEND : Kind.DONE);
            }
            return !confirmed && removesLastUsable(found, edits, next)
                    ? Decision.refuse(Kind.LAST_USABLE)
                    : Decision.approve(next, "reset to the values of the configuration file and the discovery sources");
        });
    }

    /**
     * Returns whether the next edits would remove all usable backends of a pool. This can happen if operators
     * added all usable backends, and the next edits no longer contain these additions.
     */
    private static boolean removesLastUsable(Pool pool, BackendEdits edits, BackendEdits next) {
        List<Member> usable = pool.members().stream().filter(Member::isUsable).toList();
        return !usable.isEmpty()
                && usable.stream()
                        .map(each -> each.backend().address())
                        .allMatch(address -> edits.find(pool.name(), address)
                                        .filter(edit -> edit.kind() == BackendEdit.Kind.ADDED)
                                        .isPresent()
                                && next.find(pool.name(), address).isEmpty());
    }

    @Override
    public List<Change> changes(String pool) {
        return discovery.edits().of(pool).stream()
                .map(edit -> new Change(
                        edit.backend().address().toString(),
                        edit.kind().label(),
                        edit.backend().weight(),
                        edit.backend().backup(),
                        edit.terms()))
                .toList();
    }

    private Decision decideFor(String name, String address, BackendEdits edits, Function<Subject, Decision> decision) {
        Pool pool = topology.get().pools().get(name);
        PoolConfig file = discovery.config().pools().get(name);
        if (pool == null || file == null) {
            return Decision.refuse(Kind.NO_SUCH_POOL);
        }
        Optional<BackendConfig> member = pool.config().backends().stream()
                .filter(each -> each.address().toString().equals(address))
                .findFirst();
        BackendEdits.Key key =
                new BackendEdits.Key(name, member.isPresent() ? member.get().address() : parsed(address));
        return decision.apply(new Subject(key, pool, member, BackendEdits.fileEntry(file, key.address()), edits));
    }

    /** Parses {@code address}; an address that cannot be parsed is replaced by a placeholder that no pool contains. */
    private static HostPort parsed(String address) {
        try {
            return Addresses.parse(address, EXPECTED);
        } catch (IllegalArgumentException e) {
            return new HostPort("invalid", 1);
        }
    }

    private static BackendConfig with(BackendConfig backend, Settings settings) {
        return backend.with(
                settings.weight().orElse(backend.weight()), settings.backup().orElse(backend.backup()));
    }

    private CompletableFuture<Outcome> decide(
            String pool, String address, OverrideTerms terms, Function<BackendEdits, Decision> decision) {
        DecisionHolder taken = new DecisionHolder();
        return control.call(() -> discovery
                .submitEdit(edits -> {
                    taken.before = edits;
                    taken.decision = decision.apply(edits);
                    return taken.decision.next();
                })
                .thenApply(fault -> {
                    Decision was = taken.decision;
                    if (!fault.isEmpty()) {
                        return new Outcome(Kind.REFUSED, fault);
                    }
                    if (was.next().isPresent()) {
                        recordEvent(
                                address.isEmpty() ? pool : pool + "/" + address,
                                was.text() + " by " + terms.authorAndReason());
                        SharedEdits.report(taken.before, was.next().get(), listener);
                    }
                    return Outcome.of(was.refusal());
                }));
    }

    private void recordEvent(String subject, String text) {
        LOG.info("backend={} msg=\"{}\"", subject, text.replace('"', '\''));
        control.timeline().add(Origin.OPERATOR, subject, text);
    }
}
