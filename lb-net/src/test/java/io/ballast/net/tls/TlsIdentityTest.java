package io.ballast.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.TlsFiles;
import io.ballast.net.testing.TestCertificate;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.interfaces.ECPrivateKey;
import java.time.Instant;
import java.util.Base64;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsIdentityTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"ecp256", "ecp384", "rsa2048", "ed25519"})
    void readsCommonKeyTypes(Algorithm algorithm) throws IOException {
        TestCertificate certificate = TestCertificate.create(algorithm);

        TlsIdentity identity = TlsIdentity.load(certificate.write(directory));

        assertThat(identity.key()).isEqualTo(certificate.key());
        assertThat(identity.chain()).containsExactly(certificate.certificate());
    }

    @Test
    void readsPkcs1Keys() throws IOException {
        TestCertificate certificate = TestCertificate.create(Algorithm.rsa2048);
        byte[] pkcs1 = PrivateKeyInfo.getInstance(certificate.key().getEncoded())
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded();

        TlsIdentity identity = TlsIdentity.load(files(certificate.certificatePem(), pem("RSA PRIVATE KEY", pkcs1)));

        assertThat(identity.key()).isEqualTo(certificate.key());
    }

    @Test
    void readsSec1KeysWithParameters() throws IOException {
        TestCertificate certificate = TestCertificate.create();
        ECPrivateKey key = (ECPrivateKey) certificate.key();
        byte[] sec1 = new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), X9ObjectIdentifiers.prime256v1)
                .getEncoded();
        String parameters = pem("EC PARAMETERS", X9ObjectIdentifiers.prime256v1.getEncoded());

        TlsIdentity identity =
                TlsIdentity.load(files(certificate.certificatePem(), parameters + pem("EC PRIVATE KEY", sec1)));

        assertThat(((ECPrivateKey) identity.key()).getS()).isEqualTo(key.getS());
    }

    @Test
    void readsKeyAndCertificateFromOneFile() throws IOException {
        TestCertificate one = TestCertificate.create();
        TestCertificate other = TestCertificate.create();
        Path both = write("both.pem", "Made by hand\n" + one.certificatePem() + other.certificatePem() + one.keyPem());

        TlsIdentity identity = TlsIdentity.load(new TlsFiles(both, both));

        assertThat(identity.chain()).containsExactly(one.certificate(), other.certificate());
        assertThat(identity.certificate()).isEqualTo(one.certificate());
    }

    @Test
    void rejectsKeyOfOtherCertificate() {
        TestCertificate one = TestCertificate.create();
        TestCertificate other = TestCertificate.create();
        TestCertificate rsa = TestCertificate.create(Algorithm.rsa2048);

        for (TestCertificate wrong : new TestCertificate[] {other, rsa}) {
            assertThatThrownBy(() -> TlsIdentity.load(files(one.certificatePem(), wrong.keyPem())))
                    .isInstanceOf(IOException.class)
                    .hasMessage(directory.resolve("server.key") + ": the key does not match the first certificate in "
                            + directory.resolve("server.crt"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
                """
                -----BEGIN RSA PRIVATE KEY-----
                Proc-Type: 4,ENCRYPTED
                DEK-Info: AES-128-CBC,00

                AAAA
                -----END RSA PRIVATE KEY-----
                """,
            })
    void errorSaysKeyIsEncrypted(String key) {
        assertThatThrownBy(() -> TlsIdentity.load(files(TestCertificate.create().certificatePem(), key)))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("server.key: the key is encrypted (expected: a key without a passphrase)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nothing",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "-----BEGIN EC PRIVATE KEY-----\nMAA=\n-----END EC PRIVATE KEY-----\n",
                "-----BEGIN EC PRIVATE KEY-----\nMIP///8=\n-----END EC PRIVATE KEY-----\n",
                "-----BEGIN RSA PRIVATE KEY-----\nMAA=\n-----END RSA PRIVATE KEY-----\n",
                "-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----\n",
                "-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----\n",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n",
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            })
    void errorNamesBrokenFile(String text) throws IOException {
        TestCertificate certificate = TestCertificate.create();
        TlsFiles brokenKey = files(certificate.certificatePem(), text);
        assertThatThrownBy(() -> TlsIdentity.load(brokenKey))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(brokenKey.key() + ": ");

        TlsFiles brokenCertificate = files(text, certificate.keyPem());
        assertThatThrownBy(() -> TlsIdentity.load(brokenCertificate))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(brokenCertificate.certificate() + ": ");
    }

    @Test
    void detectsChangedFilesOnly() throws IOException {
        TestCertificate second = TestCertificate.create();
        TlsFiles files = TestCertificate.create().write(directory);
        TlsIdentityFiles watched = new TlsIdentityFiles(files);
        assertThat(watched.loadIfChanged()).isPresent();
        assertThat(watched.loadIfChanged()).isEmpty();

        write("server.crt", second.certificatePem());
        touch(files.certificate(), 1);
        assertThatThrownBy(watched::loadIfChanged).hasMessageContaining("the key does not match the first certificate");
        assertThat(watched.loadIfChanged())
                .as("broken files are not tried again")
                .isEmpty();

        write("server.key", second.keyPem());
        touch(files.key(), 2);
        assertThat(watched.loadIfChanged().orElseThrow().certificate()).isEqualTo(second.certificate());

        Files.delete(files.key());
        assertThatThrownBy(watched::loadIfChanged).hasMessageEndingWith("server.key: no such file");
        write("server.key", second.keyPem());
        assertThat(watched.loadIfChanged()).isPresent();
    }

    /** Makes two changes within one tick of the file system's clock distinguishable. */
    private static void touch(Path file, int second) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(second)));
    }

    private TlsFiles files(String certificate, String key) throws IOException {
        return new TlsFiles(write("server.crt", certificate), write("server.key", key));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + label
                + "-----\n";
    }
}
