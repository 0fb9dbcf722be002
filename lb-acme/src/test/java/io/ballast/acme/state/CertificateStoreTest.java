package io.ballast.acme.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.testing.TestCertificates;
import io.ballast.net.tls.SubjectAltNames;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateStoreTest {

    private static final String NAME = "*.example.com";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path dataDir;

    private AcmeDirectory directory;
    private CertificateStore store;

    @BeforeEach
    void open() {
        directory = new AcmeDirectory(dataDir, AcmeIssuer.of(URI.create("https://ca.example/dir?a=b")));
        store = new CertificateStore(directory);
    }

    @Test
    void readsWhatWasWritten() throws Exception {
        TlsIdentity identity = TestCertificates.create(NAME, NOW, Duration.ofDays(90));

        store.write(NAME, identity);

        assertThat(store.read(NAME)).contains(identity);
        assertThat(directory.certificate(NAME).getFileName()).hasToString("wildcard_.example.com.pem");
        assertThat(directory.certificate(NAME).getParent().getParent()).hasFileName("ca.example-dir-a-b");
    }

    @Test
    void temporaryCertificateHasNameAndDoesNotCount() throws Exception {
        store.createTemporary(NAME, NOW);

        TlsIdentity temporary = TlsIdentity.load(directory.tlsFiles(NAME));
        assertThat(SubjectAltNames.hosts(temporary.certificate())).containsExactly(NAME);
        assertThat(temporary.invalidityReason(NOW)).isEmpty();
        assertThat(store.read(NAME)).isEmpty();
    }

    @Test
    void temporaryCertificateReplacesNoOtherCertificate() throws Exception {
        TlsIdentity expired = TestCertificates.create(NAME, NOW.minus(Duration.ofDays(100)), Duration.ofDays(90));
        store.write(NAME, expired);

        store.createTemporary(NAME, NOW);

        assertThat(store.read(NAME)).contains(expired);
    }

    @Test
    void temporaryCertificateReplacesDamagedFile() throws Exception {
        store.write(NAME, TestCertificates.create(NAME, NOW, Duration.ofDays(90)));
        Files.writeString(directory.certificate(NAME), "damaged");
        assertThat(store.read(NAME)).isEmpty();

        store.createTemporary(NAME, NOW);

        assertThat(TlsIdentity.load(directory.tlsFiles(NAME)).chain()).hasSize(1);
    }

    @Test
    void expiredTemporaryCertificateIsReplaced() throws Exception {
        store.createTemporary(NAME, NOW);
        Instant later = NOW.plus(Duration.ofDays(100));

        store.createTemporary(NAME, later);

        assertThat(TlsIdentity.load(directory.tlsFiles(NAME)).invalidityReason(later))
                .isEmpty();
    }

    @Test
    void failuresSurviveRestart() throws Exception {
        FailureState failures = new FailureState(3, NOW.plusSeconds(60), /* passesOn= */ true);

        store.writeFailures(NAME, failures);
        assertThat(new CertificateStore(directory).failures(NAME)).isEqualTo(failures);

        store.writeFailures(NAME, FailureState.NONE);
        assertThat(store.failures(NAME)).isEqualTo(FailureState.NONE);
    }

    @Test
    void damagedFailuresAreIgnored() throws Exception {
        store.writeFailures(NAME, new FailureState(3, NOW, /* passesOn= */ false));
        Files.writeString(directory.failures(NAME), "three tomorrow");

        assertThat(store.failures(NAME)).isEqualTo(FailureState.NONE);
    }

    @Test
    void accountKeyIsKept() throws Exception {
        AccountKey key = new AccountKey(directory);
        assertThat(key.read()).isEmpty();
        KeyPair created = key.create();

        KeyPair stored = new AccountKey(directory).read().orElseThrow();

        assertThat(stored.getPublic()).isEqualTo(created.getPublic());
        assertThat(stored.getPrivate()).isEqualTo(created.getPrivate());
    }

    @Test
    void damagedAccountKeyIsErrorThatNamesFile() throws Exception {
        AccountKey key = new AccountKey(directory);
        key.create();
        Files.writeString(directory.accountKey(), "damaged");

        assertThatThrownBy(key::read)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(directory.accountKey().toString());
    }
}
