package io.ballast.acme.state;

import io.ballast.core.ErrorText;
import io.ballast.core.state.StateFile;
import io.ballast.net.tls.PemText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The key of an ACME account: an ECDSA key on the curve P-256, in a file that only the owner can read.
 *
 * <p>Thread safety: one thread at a time.
 */
public final class AccountKey {

    private static final int MAX_BYTES = 16 * 1024;
    private static final int BITS = 256;
    private static final String ALGORITHM = "EC";
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN (PRIVATE|PUBLIC) KEY-----([A-Za-z0-9+/=\\s]*)-----END \\1 KEY-----\\s*");

    private final StateFile file;

    public AccountKey(AcmeDirectory directory) {
        this.file = new StateFile(directory.accountKey(), MAX_BYTES);
    }

    /**
     * Returns the stored key; empty if there is no file.
     *
     * @throws IOException if the file cannot be used. The file is not replaced, because the account would be lost with
     *     the key
     */
    public Optional<KeyPair> read() throws IOException {
        Optional<byte[]> stored = file.read();
        try {
            return stored.isEmpty()
                    ? Optional.empty()
                    : Optional.of(parse(new String(stored.get(), StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("cannot use the account key " + path() + ": " + ErrorText.reason(e), e);
        }
    }

    /** Returns the stored key as text; empty if there is no file. Otherwise like {@link #read}. */
    public Optional<String> text() throws IOException {
        return read().isEmpty()
                ? Optional.empty()
                : file.read().map(bytes -> new String(bytes, StandardCharsets.US_ASCII));
    }

    /**
     * Stores a key of another process. A different key is kept in a file beside it.
     *
     * @param text the result of {@link #text}
     * @return the file with the former key, if there was a different one
     * @throws IOException if the text contains no key, or a file cannot be written
     */
    public Optional<Path> install(String text, Instant now) throws IOException {
        try {
            KeyPair unused = parse(text);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("cannot use the account key of the cluster: " + ErrorText.reason(e), e);
        }
        Optional<Path> kept = Optional.empty();
        if (Files.exists(path())) {
            Path beside = path().resolveSibling("account-replaced-" + now.getEpochSecond() + ".pem");
            Files.copy(path(), beside, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            kept = Optional.of(beside);
        }
        file.replace(text.getBytes(StandardCharsets.US_ASCII));
        return kept;
    }

    /** Creates and stores a key. */
    public KeyPair create() throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(BITS);
            KeyPair key = generator.generateKeyPair();
            file.replace(
                    (PemText.of(key.getPrivate()) + PemText.of(key.getPublic())).getBytes(StandardCharsets.US_ASCII));
            return key;
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot create an account key: " + ErrorText.reason(e), e);
        }
    }

    private Path path() {
        return file.path();
    }

    private static KeyPair parse(String text) throws GeneralSecurityException {
        KeyFactory factory = KeyFactory.getInstance(ALGORITHM);
        Matcher blocks = BLOCK.matcher(text);
        if (!blocks.lookingAt()) {
            throw new GeneralSecurityException("no private key in PEM");
        }
        byte[] privateKey = Base64.getMimeDecoder().decode(blocks.group(2));
        if (!blocks.find()) {
            throw new GeneralSecurityException("no public key in PEM");
        }
        byte[] publicKey = Base64.getMimeDecoder().decode(blocks.group(2));
        return new KeyPair(
                factory.generatePublic(new X509EncodedKeySpec(publicKey)),
                factory.generatePrivate(new PKCS8EncodedKeySpec(privateKey)));
    }
}
