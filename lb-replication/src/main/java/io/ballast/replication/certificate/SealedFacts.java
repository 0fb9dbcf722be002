package io.ballast.replication.certificate;

import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactStore;
import io.ballast.cluster.fact.ProposalResult;
import io.ballast.cluster.secret.SecretCipher;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Facts whose values are encrypted with the key of the cluster. Thread-safe. */
final class SealedFacts {

    private final SecretCipher cipher;
    private volatile Store store = Store.NONE;

    /** The facts of the cluster. Thread-safe. */
    interface Store {

        /** The store of a node that has not joined the cluster yet. */
        Store NONE = new Store() {
            @Override
            public Optional<Fact> find(String key) {
                return Optional.empty();
            }

            @Override
            public CompletableFuture<ProposalResult> propose(String key, Optional<String> value, long base) {
                return CompletableFuture.completedFuture(ProposalResult.UNKNOWN);
            }

            @Override
            public Optional<String> leader() {
                return Optional.empty();
            }

            @Override
            public boolean isLeader() {
                return false;
            }
        };

        Optional<Fact> find(String key);

        /** Like {@link io.ballast.cluster.fact.FactStore#propose}. */
        CompletableFuture<ProposalResult> propose(String key, Optional<String> value, long base);

        /** The name of the leader; empty without a connection to a majority of the voters. */
        Optional<String> leader();

        /** Whether this node is the leader. */
        boolean isLeader();
    }

    private record FactsOfFamily(FactStore facts) implements Store {

        @Override
        public Optional<Fact> find(String key) {
            return facts.find(key);
        }

        @Override
        public CompletableFuture<ProposalResult> propose(String key, Optional<String> value, long base) {
            return facts.propose(key, value, base);
        }

        @Override
        public Optional<String> leader() {
            return facts.leader();
        }

        @Override
        public boolean isLeader() {
            return facts.isLeader();
        }
    }

    SealedFacts(SecretCipher cipher) {
        this.cipher = cipher;
    }

    void connect(FactStore source) {
        connect(new FactsOfFamily(source));
    }

    void connect(Store source) {
        store = source;
    }

    Store store() {
        return store;
    }

    /** Returns the decrypted value; empty if it was encrypted with another key. */
    Optional<String> open(Fact fact) {
        return cipher.decrypt(fact.key(), fact.value());
    }

    /** Returns the value of a fact with this text. The result differs for each call. */
    String seal(String key, String text) {
        return cipher.encrypt(key, text);
    }

    /**
     * Proposes a sealed value.
     *
     * @return {@link ProposalResult#FULL} also if the key or the value is too long for a fact
     */
    CompletableFuture<ProposalResult> propose(String key, String sealed, long base) {
        boolean fits = key.length() <= Fact.MAX_KEY_LENGTH
                && sealed.getBytes(StandardCharsets.UTF_8).length <= Fact.MAX_VALUE_BYTES;
        return fits
                ? store.propose(key, Optional.of(sealed), base)
                : CompletableFuture.completedFuture(ProposalResult.FULL);
    }

    /** Proposes to remove a fact. If this fails, a later check of the leader repeats it. */
    void remove(String key, long base) {
        CompletableFuture<?> unused = store.propose(key, Optional.empty(), base);
    }
}
