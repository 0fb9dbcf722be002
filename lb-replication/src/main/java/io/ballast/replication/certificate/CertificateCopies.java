package io.ballast.replication.certificate;

import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.state.AcmeDirectory;
import io.ballast.acme.state.CertificateStore;
import io.ballast.acme.state.IssuedCertificates;
import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.ProposalResult;
import io.ballast.core.ErrorText;
import io.ballast.core.control.ControlPlane;
import io.ballast.net.tls.TlsIdentity;
import io.ballast.replication.certificate.CertificateFact.Difference;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the certificate files of this node and the facts equal; {@link CertificateFact#difference} decides which one
 * changes. Files are compared when a fact or a file changes, and also periodically, one after the other. Confined to
 * one thread, which may block.
 *
 * <p>Bounds: {@value #MAX_CERTIFICATES} facts, and {@link #MAX_CHECK_DURATION} for each call of {@link #checkNext}.
 */
final class CertificateCopies {

    static final String PREFIX = CertificateFacts.PREFIX + "certificates/";
    static final int MAX_CERTIFICATES = 10_000;

    /** A host name or a wildcard. Other names of facts could lead out of the directory. */
    private static final Pattern NAME = Pattern.compile("(\\*\\.)?([a-z0-9_-]{1,63}\\.)*[a-z0-9_-]{1,63}");

    private static final Duration MAX_CHECK_DURATION = Duration.ofMillis(50);

    /** The time for which the fact of an expired certificate is kept. */
    private static final Duration EXPIRED_LIFE = Duration.ofDays(1);

    /** The number of names of an issuer that are compared in one turn. */
    private static final int MAX_NAMES = 20_000;

    private static final int MAX_COMPARED = 50_000;

    /** The number of turns after which unchanged files are compared again. */
    private static final int TURNS = 600;

    private final Map<String, Known> known = new HashMap<>();
    private final Set<String> unreadable = new HashSet<>();
    private final Set<String> proposed = new HashSet<>();
    /** The keys of certificates that this process has ordered or revoked, until the cluster has accepted them. */
    private final Set<String> ordered = new HashSet<>();
    /** For each key, the values for which the last comparison found nothing to do. */
    private final Map<String, Compared> compared = new HashMap<>();

    private final Deque<Place> waiting = new ArrayDeque<>();
    private final ControlPlane control;
    private final Executor thread;
    private final SealedFacts facts;
    private final Path dataDir;
    private final CopyReports reports;
    private final Supplier<OrderedNames> names;
    private final Consumer<String> filesChanged;
    private int turns;

    /** A fact, without the key and the chain. */
    private record Known(CertificateFact certificate, long version) {}

    private record Place(AcmeIssuer issuer, String name) {}

    /** The values on which the result of a comparison depends. */
    private record Compared(
            int textHash, Optional<String> revoked, long version, boolean isUsed, boolean isConfigured) {}

    /**
     * @param thread the thread to which this object is confined
     * @param names returns the names of the active configuration
     * @param filesChanged is called with each name whose files have changed
     */
    CertificateCopies(
            ControlPlane control,
            Executor thread,
            SealedFacts facts,
            Path dataDir,
            CopyReports reports,
            Supplier<OrderedNames> names,
            Consumer<String> filesChanged) {
        this.control = control;
        this.thread = thread;
        this.facts = facts;
        this.dataDir = dataDir;
        this.reports = reports;
        this.names = names;
        this.filesChanged = filesChanged;
    }

    private static String key(AcmeIssuer issuer, String name) {
        return PREFIX + issuer.stateName() + "/" + name;
    }

    /** Receives a change of a fact. */
    void receive(String key, Optional<Fact> fact) {
        Optional<CertificateFact> certificate = fact.flatMap(this::open);
        unreadable.remove(key);
        known.remove(key);
        if (!proposed.contains(key)) {
            ordered.remove(key); // another node has changed the certificate later
        }
        if (certificate.isPresent()) {
            known.put(
                    key,
                    new Known(certificate.get().withoutPem(), fact.orElseThrow().version()));
            reports.solved(key);
        } else if (fact.isPresent()) {
            unreadable.add(key);
            reports.unreadable(key);
        }
        int slash = key.indexOf('/', PREFIX.length());
        if (slash > 0 && certificate.isPresent()) {
            OrderedNames present = names.get();
            present.issuer(key.substring(PREFIX.length(), slash))
                    .ifPresent(issuer -> check(present, issuer, key.substring(slash + 1)));
        }
    }

    private Optional<CertificateFact> open(Fact fact) {
        try {
            return facts.open(fact).map(CertificateFact::decode);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Called when this process has ordered or revoked a certificate. */
    void stored(String name, String issuerName) {
        OrderedNames present = names.get();
        present.issuers().stream()
                .filter(issuer -> issuer.name().equals(issuerName))
                .forEach(issuer -> {
                    ordered.add(key(issuer, name));
                    check(present, issuer, name);
                });
    }

    /** The number of completed turns, in each of which all files were compared. */
    int turns() {
        return turns;
    }

    /** Compares the next files, and removes expired facts if this node is the leader. */
    void checkNext() {
        long end = System.nanoTime() + MAX_CHECK_DURATION.toNanos();
        OrderedNames present = names.get();
        if (waiting.isEmpty()) {
            beginTurn(present);
        }
        while (!waiting.isEmpty() && System.nanoTime() - end < 0) {
            Place next = waiting.removeFirst();
            check(present, next.issuer(), next.name());
        }
        if (waiting.isEmpty()) {
            turns++;
            if (turns % TURNS == 0 || compared.size() > MAX_COMPARED) {
                compared.clear();
            }
        }
    }

    private void beginTurn(OrderedNames present) {
        for (AcmeIssuer issuer : present.issuers()) {
            Collection<String> all = new LinkedHashSet<>();
            String prefix = key(issuer, "");
            known.keySet().stream()
                    .filter(key -> key.startsWith(prefix))
                    .forEach(key -> all.add(key.substring(prefix.length())));
            try {
                all.addAll(new AcmeDirectory(dataDir, issuer).names(MAX_NAMES));
            } catch (IOException e) {
                reports.problem(prefix, ErrorText.of(e));
            }
            all.forEach(name -> waiting.add(new Place(issuer, name)));
        }
        if (facts.store().isLeader()) {
            Instant expired = control.clock().instant().minus(EXPIRED_LIFE);
            known.forEach((key, fact) -> {
                if (fact.certificate().notAfter().isBefore(expired)) {
                    facts.remove(key, fact.version());
                }
            });
        }
    }

    private void check(OrderedNames present, AcmeIssuer issuer, String name) {
        String key = key(issuer, name);
        if (present.acme().isEmpty()
                || !NAME.matcher(name).matches()
                || unreadable.contains(key)
                || proposed.contains(key)) {
            return;
        }
        IssuedCertificates certificates =
                new IssuedCertificates(dataDir, present.acme().get());
        try {
            Known fact = known.get(key);
            CertificateStore store = certificates.of(issuer.name());
            Compared now = compared(present, store, name, fact);
            if (ordered.contains(key) || !now.equals(compared.get(key))) {
                compared.remove(key);
                if (compare(present, certificates, issuer, name, fact, now)) {
                    compared.put(key, compared(present, store, name, fact));
                    ordered.remove(key);
                }
                reports.solved(key);
            }
        } catch (IOException e) {
            reports.problem(key, ErrorText.of(e));
        }
    }

    private static Compared compared(OrderedNames present, CertificateStore store, String name, @Nullable Known fact)
            throws IOException {
        return new Compared(
                store.text(name).orElse("").hashCode(),
                store.revokedSerial(name),
                fact == null ? Fact.ABSENT : fact.version(),
                present.isUsed(name),
                present.isConfigured(name));
    }

    /**
     * Compares the files of a name with the fact, and installs or proposes a certificate if they differ. Returns
     * whether nothing is left to do.
     */
    private boolean compare(
            OrderedNames present,
            IssuedCertificates certificates,
            AcmeIssuer issuer,
            String name,
            @Nullable Known fact,
            Compared now)
            throws IOException {
        Optional<CertificateFact> files = files(certificates.of(issuer.name()), name);
        boolean isRevoked = files.isPresent() && files.get().isRevoked();
        if (fact == null) {
            if (isRevoked && !present.isConfigured(name)) {
                install(present, certificates, issuer, name, files.get()); // no other node has this certificate
                return true;
            }
            return files.isEmpty() || !present.isUsed(name) || propose(issuer, name, files.get(), Fact.ABSENT, now);
        }
        CertificateFact shared = fact.certificate();
        Difference difference = CertificateFact.difference(files, shared);
        boolean isOwnChange = ordered.contains(key(issuer, name)) && difference != Difference.NONE;
        if (files.isPresent() && (difference == Difference.PROPOSE || isOwnChange)) {
            return (!present.isUsed(name) && !isRevoked) || propose(issuer, name, files.get(), fact.version(), now);
        }
        boolean isLeft = isRevoked && difference == Difference.NONE && !present.isConfigured(name);
        if (difference == Difference.INSTALL || isLeft) {
            boolean isKnownHere = files.isPresent() && files.get().hasSerial(shared);
            if (shared.isRevoked() ? isKnownHere : present.isUsed(name)) {
                install(present, certificates, issuer, name, shared);
            }
        }
        return true;
    }

    /** Returns the certificate in the files of this node; empty if there is none, or a temporary one. */
    private static Optional<CertificateFact> files(CertificateStore store, String name) throws IOException {
        Optional<TlsIdentity> identity = store.read(name);
        if (identity.isEmpty()) {
            return Optional.empty();
        }
        boolean isRevoked = store.isRevoked(name, identity.get().certificate());
        return Optional.of(CertificateFact.of(
                identity.get().certificate(), isRevoked, store.text(name).orElse("")));
    }

    private void install(
            OrderedNames present,
            IssuedCertificates certificates,
            AcmeIssuer issuer,
            String name,
            CertificateFact shared)
            throws IOException {
        Instant now = control.clock().instant();
        if (shared.isRevoked()) {
            boolean isDeleted = !present.isConfigured(name);
            certificates.receiveRevocation(name, issuer.name(), shared.serial(), isDeleted, now);
            reports.revoked(name, issuer.name(), isDeleted);
        } else {
            String key = key(issuer, name);
            Optional<CertificateFact> full = facts.store().find(key).flatMap(this::open);
            if (full.isEmpty() || !full.get().hasSerial(shared)) {
                return; // the fact has changed meanwhile; its new value arrives separately
            }
            Path file = certificates.of(issuer.name()).directory().certificate(name);
            TlsIdentity identity = TlsIdentity.parse(file, full.get().pem());
            certificates.receive(name, issuer.name(), identity, now);
            reports.received(name, issuer.name(), shared.notAfter(), present.isConfigured(name));
        }
        filesChanged.accept(name);
    }

    /**
     * Proposes the certificate in the files, if it is valid. Returns true if nothing was proposed and no retry is
     * necessary.
     */
    private boolean propose(AcmeIssuer issuer, String name, CertificateFact files, long base, Compared now) {
        String key = key(issuer, name);
        if (!files.isValid(control.clock().instant())) {
            return true;
        }
        if (facts.store().leader().isEmpty()) {
            return false;
        }
        if (base == Fact.ABSENT && known.size() >= MAX_CERTIFICATES) {
            reports.problem(key, "the cluster already has " + MAX_CERTIFICATES + " certificates");
            return true;
        }
        proposed.add(key);
        CompletableFuture<?> unused = facts.propose(key, facts.seal(key, files.encode()), base)
                .thenAcceptAsync(
                        result -> {
                            proposed.remove(key);
                            if (result == ProposalResult.COMMITTED) {
                                check(names.get(), issuer, name);
                            } else if (result == ProposalResult.FULL) {
                                ordered.remove(key);
                                compared.put(key, now);
                                reports.problem(
                                        key,
                                        "the certificate is too large for a fact, or the facts of the cluster have"
                                                + " reached their bound");
                            }
                        },
                        thread);
        return false;
    }
}
