package io.ballast.replication.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.state.AccountKey;
import io.ballast.acme.state.AcmeDirectory;
import io.ballast.acme.state.IssuedCertificate;
import io.ballast.acme.testing.TestCertificates;
import io.ballast.cluster.config.ClusterSecretKey;
import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.secret.SecretCipher;
import io.ballast.net.tls.PemText;
import io.ballast.net.tls.TlsIdentity;
import io.ballast.replication.certificate.ScriptedCluster.Node;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which node orders, and how certificates and accounts reach the other nodes. */
class CertificateFactsTest {

    private static final String NAME = "shop.example.com";
    private static final String ON_DEMAND = "customer.example.net";
    private static final AcmeIssuer ISSUER = AcmeIssuer.of(URI.create(ScriptedCluster.ISSUER));
    private static final String CA = "ca.example";
    private static final Duration LIFETIME = Duration.ofDays(90);
    private static final int HEX = 16;

    @TempDir
    private Path directory;

    private ScriptedCluster cluster;
    private Node one;
    private Node two;

    @BeforeEach
    void start() throws Exception {
        cluster = new ScriptedCluster(directory);
        one = cluster.start("n1");
        two = cluster.start("n2");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Instant now() {
        return cluster.scheduler.clock().instant();
    }

    private TlsIdentity certificate(String name) {
        return TestCertificates.create(name, now(), LIFETIME);
    }

    /** Orders a certificate on a node, as its process does. */
    private TlsIdentity order(Node node, String name) throws Exception {
        return order(node, name, certificate(name));
    }

    private TlsIdentity order(Node node, String name, TlsIdentity identity) throws Exception {
        node.certificates.write(name, CA, identity);
        node.family.stored(name, CA);
        cluster.run();
        return identity;
    }

    private void revoke(Node node, String name, X509Certificate certificate) throws Exception {
        node.certificates.of(CA).writeRevoked(name, certificate);
        node.family.stored(name, CA);
        cluster.run();
    }

    private static Optional<BigInteger> serial(Node node, String name) {
        return node.certificates
                .of(CA)
                .read(name)
                .map(each -> each.certificate().getSerialNumber());
    }

    private static BigInteger serial(TlsIdentity identity) {
        return identity.certificate().getSerialNumber();
    }

    private static AccountKey account(Node node) {
        return account(node.dataDir);
    }

    private static AccountKey account(Path dataDir) {
        return new AccountKey(new AcmeDirectory(dataDir, ISSUER));
    }

    @Test
    void onlyTheLeaderOrders() {
        assertThat(one.family.mayOrder()).isFalse();

        cluster.elect("n1");
        assertThat(one.family.mayOrder()).isTrue();
        assertThat(two.family.mayOrder()).isFalse();
        assertThat(two.family.refusal()).isEqualTo("certificates are ordered by node n1; send the request to it");

        cluster.elect("n2");
        assertThat(one.family.mayOrder()).isFalse();
        assertThat(two.family.mayOrder()).isTrue();
    }

    @Test
    void aNewLeaderWaitsForTheCertificatesOfOtherNodes() {
        cluster.elect("n1");

        cluster.elect("n2", Duration.ofSeconds(1));

        assertThat(two.family.mayOrder()).isFalse();
        assertThat(two.family.refusal()).contains("try again in some seconds");
    }

    @Test
    void withoutMajorityNothingIsOrderedAndTheCertificateStays() throws Exception {
        cluster.elect("n1");
        TlsIdentity first = order(one, NAME);

        cluster.loseMajority();
        cluster.advance(Duration.ofSeconds(10));

        assertThat(one.family.mayOrder()).isFalse();
        assertThat(one.family.refusal()).contains("no connection to a majority");
        assertThat(serial(one, NAME)).contains(serial(first));
        assertThat(serial(two, NAME)).contains(serial(first));
    }

    @Test
    void certificateOfTheLeaderReachesTheOtherNodes() throws Exception {
        cluster.elect("n1");

        TlsIdentity ordered = order(one, NAME);

        assertThat(two.certificates.of(CA).read(NAME).orElseThrow().chain()).isEqualTo(ordered.chain());
        assertThat(two.certificates.of(CA).read(NAME).orElseThrow().key()).isEqualTo(ordered.key());
        assertThat(two.changed).containsExactly(NAME);
        assertThat(one.changed).isEmpty();
        assertThat(cluster.facts.values())
                .allSatisfy(fact -> assertThat(fact.value()).doesNotContain("BEGIN", NAME));
    }

    @Test
    void certificateThatWasIssuedWithoutMajorityIsSharedLater() throws Exception {
        cluster.elect("n1");
        cluster.loseMajority();
        TlsIdentity issued = order(one, NAME);
        assertThat(serial(two, NAME)).isEmpty();

        cluster.elect("n2");

        assertThat(serial(two, NAME)).contains(serial(issued));
    }

    @Test
    void renewalWithTheSameDatesReplacesTheFormerCertificate() throws Exception {
        cluster.elect("n1");
        Instant day = now();
        order(one, NAME, TestCertificates.create(NAME, day, LIFETIME));

        TlsIdentity second = order(one, NAME, TestCertificates.create(NAME, day, LIFETIME));
        cluster.advance(Duration.ofSeconds(5));

        assertThat(serial(one, NAME)).contains(serial(second));
        assertThat(serial(two, NAME)).contains(serial(second));
    }

    @Test
    void existingCertificateOfAnyNodeIsShared() throws Exception {
        TlsIdentity older = TestCertificates.create(NAME, now().minus(Duration.ofDays(2)), LIFETIME);
        TlsIdentity newer = TestCertificates.create(NAME, now().minus(Duration.ofDays(1)), LIFETIME);
        one.certificates.write(NAME, CA, older);
        two.certificates.write(NAME, CA, newer);

        cluster.elect("n1");

        assertThat(one.family.mayOrder()).isTrue();
        assertThat(serial(one, NAME)).contains(serial(newer));
        assertThat(serial(two, NAME)).contains(serial(newer));
        assertThat(two.changed).isEmpty();
    }

    @Test
    void temporaryAndExpiredCertificatesAreNotShared() throws Exception {
        one.certificates.prepare(NAME, now());
        one.certificates.write(
                ON_DEMAND, CA, TestCertificates.create(ON_DEMAND, now().minus(Duration.ofDays(91)), LIFETIME));

        cluster.elect("n1");

        assertThat(cluster.facts.keySet()).noneMatch(key -> key.startsWith(CertificateCopies.PREFIX));
    }

    @Test
    void nodeThatJoinsGetsTheCertificateAndTheAccount() throws Exception {
        cluster.elect("n1");
        TlsIdentity ordered = order(one, NAME);

        Node three = cluster.start("n3");
        cluster.advance(Duration.ofSeconds(2));

        assertThat(serial(three, NAME)).contains(serial(ordered));
        assertThat(account(three).text()).isEqualTo(account(one).text()).isPresent();
    }

    @Test
    void firstAccountIsUsedByAllNodesAndTheOtherOneIsKept() throws Exception {
        account(two).create();
        String existing = account(two).text().orElseThrow();

        cluster.elect("n1");

        assertThat(account(one).text()).contains(existing);
        assertThat(account(two).text()).contains(existing);

        Path of3 = directory.resolve("n3");
        account(of3).create();
        String other = account(of3).text().orElseThrow();
        cluster.start("n3");
        cluster.advance(Duration.ofSeconds(2));

        assertThat(account(of3).text()).contains(existing);
        try (Stream<Path> files =
                Files.list(new AcmeDirectory(of3, ISSUER).accountKey().getParent())) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("account-replaced-")))
                    .singleElement()
                    .satisfies(kept -> assertThat(kept).hasContent(other));
        }
    }

    @Test
    void lostAccountFileIsWrittenAgain() throws Exception {
        cluster.elect("n1");
        String key = account(one).text().orElseThrow();
        Files.delete(new AcmeDirectory(one.dataDir, ISSUER).accountKey());

        cluster.advance(Duration.ofSeconds(2));

        assertThat(account(one).text()).contains(key);
        assertThat(one.family.mayOrder()).isTrue();
    }

    @Test
    void newLeaderUsesTheAccountOfTheFormerOne() throws Exception {
        cluster.elect("n1");
        String first = account(one).text().orElseThrow();

        cluster.elect("n2");

        assertThat(account(two).text()).contains(first);
    }

    @Test
    void revocationOfAConfiguredNameReachesAllNodesWithoutItsKey() throws Exception {
        cluster.elect("n1");
        TlsIdentity ordered = order(one, NAME);

        revoke(one, NAME, ordered.certificate());

        IssuedCertificate stored = two.certificates.read(NAME, now()).orElseThrow();
        assertThat(stored.isRevoked()).isTrue();
        assertThat(two.changed).containsExactly(NAME, NAME);

        TlsIdentity next = order(one, NAME, TestCertificates.create(NAME, now(), LIFETIME));
        assertThat(serial(two, NAME)).contains(serial(next));
        assertThat(two.certificates.read(NAME, now()).orElseThrow().isRevoked()).isFalse();
    }

    @Test
    void revokedCertificateOnDemandIsDeletedOnAllNodesAndDoesNotReturn() throws Exception {
        cluster.elect("n1");
        TlsIdentity ordered = order(one, ON_DEMAND);
        assertThat(serial(two, ON_DEMAND)).isPresent();

        revoke(one, ON_DEMAND, ordered.certificate());
        cluster.advance(Duration.ofSeconds(2));

        assertThat(serial(one, ON_DEMAND)).isEmpty();
        assertThat(serial(two, ON_DEMAND)).isEmpty();

        Node three = cluster.start("n3");
        three.certificates.write(ON_DEMAND, CA, ordered); // as if the node had been away
        cluster.advance(Duration.ofSeconds(3));
        assertThat(serial(three, ON_DEMAND)).isEmpty();
        assertThat(serial(one, ON_DEMAND)).isEmpty();
    }

    @Test
    void revocationWithoutMajorityIsSharedLater() throws Exception {
        cluster.elect("n1");
        TlsIdentity ordered = order(one, NAME);
        cluster.loseMajority();
        revoke(one, NAME, ordered.certificate());
        assertThat(two.certificates.read(NAME, now()).orElseThrow().isRevoked()).isFalse();

        cluster.elect("n2");

        assertThat(two.certificates.read(NAME, now()).orElseThrow().isRevoked()).isTrue();
    }

    @Test
    void factsOfAnotherKeyAreKeptAndIgnored() throws Exception {
        cluster.elect("n1");
        TlsIdentity ordered = order(one, NAME);
        Node stranger = cluster.start("n3", "cd".repeat(32));
        TlsIdentity own = TestCertificates.create(NAME, now().plusSeconds(1), LIFETIME);
        stranger.certificates.write(NAME, CA, own);

        cluster.elect("n3");

        assertThat(stranger.family.mayOrder()).isFalse();
        assertThat(serial(stranger, NAME)).contains(serial(own));
        assertThat(serial(one, NAME)).contains(serial(ordered));
    }

    @Test
    void nameOfAFactCannotLeadOutOfTheDirectory() throws Exception {
        cluster.elect("n1");
        order(one, ON_DEMAND);
        String key = CertificateCopies.PREFIX + ISSUER.stateName() + "/../../escaped";
        SecretCipher cipher = new SecretCipher(new ClusterSecretKey(ScriptedCluster.KEY), new SecureRandom());
        TlsIdentity identity = certificate("escaped");
        String pem = PemText.of(identity.key()) + PemText.of(identity.chain());
        CertificateFact fact = CertificateFact.of(identity.certificate(), /* isRevoked= */ false, pem);

        two.propose(key, Optional.of(cipher.encrypt(key, fact.encode())), Fact.ABSENT);
        cluster.advance(Duration.ofSeconds(2));

        assertThat(cluster.facts).containsKey(key);
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("escaped"));
        }
    }

    @Test
    void expiredFactIsRemovedByTheLeader() throws Exception {
        cluster.elect("n1");
        order(one, ON_DEMAND, TestCertificates.create(ON_DEMAND, now(), Duration.ofMinutes(10)));
        assertThat(cluster.facts.keySet()).anyMatch(key -> key.endsWith("/" + ON_DEMAND));

        cluster.scheduler.stepClock(Duration.ofDays(2));
        cluster.advance(Duration.ofSeconds(3));

        assertThat(cluster.facts.keySet()).noneMatch(key -> key.endsWith("/" + ON_DEMAND));
    }

    @Test
    void requestedNameIsOrderedByTheLeaderAndEnds() throws Exception {
        cluster.elect("n1");

        two.family.request(ON_DEMAND, Optional.empty());
        two.family.request(ON_DEMAND, Optional.empty());
        cluster.run();
        assertThat(one.ordered).containsExactly(ON_DEMAND);
        assertThat(two.ordered).isEmpty();
        assertThat(two.ended).isEmpty();

        TlsIdentity ordered = order(one, ON_DEMAND);
        one.order.complete(null);
        cluster.run();
        assertThat(two.ended).containsExactly(ON_DEMAND);
        assertThat(serial(two, ON_DEMAND)).contains(serial(ordered));

        X509Certificate former = ordered.certificate();
        two.family.request(ON_DEMAND, Optional.of(former));
        cluster.run();
        assertThat(one.ordered)
                .containsExactly(
                        ON_DEMAND,
                        ON_DEMAND + " for " + former.getSerialNumber().toString(HEX));
    }

    @Test
    void requestWithoutMajorityEndsAtOnce() {
        two.family.request(ON_DEMAND, Optional.empty());
        cluster.run();

        assertThat(two.ended).containsExactly(ON_DEMAND);
        assertThat(cluster.facts).isEmpty();
    }

    @Test
    void requestThatNoNodeCarriesOutEnds() {
        cluster.elect("n1");
        two.family.request(ON_DEMAND, Optional.empty());
        cluster.run();
        assertThat(one.ordered).hasSize(1);

        cluster.elect("n2"); // the order of the former leader does not end
        assertThat(two.ordered).hasSize(1);
        cluster.advance(RequestedNames.LIFE.plusSeconds(5));
        two.order.complete(null);
        cluster.advance(Duration.ofSeconds(2));

        assertThat(two.ended).contains(ON_DEMAND);
        assertThat(cluster.facts.keySet()).noneMatch(key -> key.startsWith(RequestedNames.PREFIX));
    }

    @Test
    void requestsAreBounded() {
        cluster.elect("n1");
        List<String> before = List.copyOf(two.ended);
        for (int i = 0; i <= RequestedNames.MAX_REQUESTS; i++) {
            two.family.request("n" + i + ".example.net", Optional.empty());
            cluster.run();
        }

        assertThat(before).isEmpty();
        assertThat(two.ended).containsExactly("n" + RequestedNames.MAX_REQUESTS + ".example.net");
    }
}
