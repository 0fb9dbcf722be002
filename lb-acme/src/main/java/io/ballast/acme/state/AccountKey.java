package io.ballast.acme.state;

import io.ballast.core.ErrorText;
import io.ballast.core.state.StateFile;
import io.ballast.net.tls.PemText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
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
