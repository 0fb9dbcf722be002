package io.ballast.replication.certificate;

import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.state.AccountKey;
import io.ballast.acme.state.AcmeDirectory;
import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.ProposalResult;
import io.ballast.core.ErrorText;
import io.ballast.core.control.ControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the ACME accounts: one fact for each issuer, and a file on each node. The first key that is committed is
 * used by all nodes. A node with a key proposes its key at once. If no node does so, the leader generates a key after
 * some seconds, because a node with a key may not be connected yet. Confined to one thread, which may block.
 */
final class AccountCopies {

    static final String PREFIX = CertificateFacts.PREFIX + "accounts/";

    private final Map<String, String> known = new HashMap<>();
    private final Set<String> unreadable = new HashSet<>();
    private final Set<String> proposed = new HashSet<>();
    private final ControlPlane control;
    private final Executor thread;
    private final SealedFacts facts;
    private final Path dataDir;
    private final CopyReports reports;

    /** @param thread the thread to which this object is confined */
    AccountCopies(ControlPlane control, Executor thread, SealedFacts facts, Path dataDir, CopyReports reports) {
        this.control = control;
        this.thread = thread;
        this.facts = facts;
        this.dataDir = dataDir;
        this.reports = reports;
    }

    /** @param issuer the name of the state of the issuer */
    void receive(String issuer, Optional<Fact> fact) {
        String key = PREFIX + issuer;
        Optional<String> text = fact.flatMap(facts::open);
        unreadable.remove(issuer);
        known.remove(issuer);
        if (text.isPresent()) {
            known.put(issuer, text.get());
            reports.solved(key);
        } else if (fact.isPresent()) {
            unreadable.add(issuer);
            reports.unreadable(key);
        }
    }

    /**
     * Makes the file of this node equal to the fact, or proposes a key.
     *
     * @param mayCreate whether this node generates a key if no node has one
     * @return whether this node uses the account of the cluster
     */
    boolean check(AcmeIssuer issuer, boolean mayCreate) {
        String state = issuer.stateName();
        if (unreadable.contains(state)) {
            return false;
        }
        AccountKey file = new AccountKey(new AcmeDirectory(dataDir, issuer));
        try {
            String text = known.get(state);
            if (text == null) {
                propose(state, file, mayCreate);
                return false;
            }
            install(issuer, file, text);
            reports.solved(PREFIX + state);
            return true;
        } catch (IOException e) {
            reports.problem(PREFIX + state, ErrorText.of(e));
            return false;
        }
    }

    private void install(AcmeIssuer issuer, AccountKey file, String text) throws IOException {
        if (!text.equals(file.text().orElse(""))) {
            file.install(text, control.clock().instant())
                    .ifPresent(kept -> reports.accountReplaced(issuer.name(), kept));
        }
    }

    private void propose(String issuer, AccountKey file, boolean mayCreate) throws IOException {
        if (facts.store().leader().isEmpty() || proposed.contains(issuer)) {
            return;
        }
        @Nullable String text = file.text().orElse(null);
        if (text == null) {
            if (!mayCreate) {
                return;
            }
            file.create();
            text = file.text().orElseThrow(() -> new IOException("the account key was deleted"));
        }
        String key = PREFIX + issuer;
        proposed.add(issuer);
        CompletableFuture<?> unused = facts.propose(key, facts.seal(key, text), Fact.ABSENT)
                .thenAcceptAsync(
                        result -> {
                            proposed.remove(issuer);
                            if (result == ProposalResult.FULL) {
                                reports.problem(key, "the cluster cannot store more facts");
                            }
                        },
                        thread);
    }
}
