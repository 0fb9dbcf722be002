package io.ballast.dns.control;

import io.ballast.core.ErrorText;
import io.ballast.core.RegularFile;
import io.ballast.dns.config.TsigKeyConfig;
import io.ballast.dns.config.TsigSecret;
import io.ballast.dns.zone.contents.Names;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.xbill.DNS.Name;
import org.xbill.DNS.TSIG;

/** The TSIG keys of a configuration, by name. Thread safety: immutable. */
public final class TsigKeys {

    public static final TsigKeys NONE = new TsigKeys(Map.of());

    /** Maximum number of bytes that are read from a secret's file; greater than the length of any secret. */
    private static final int MAX_FILE_BYTES = 4096;

    private final Map<Name, TSIG> keys;

    private TsigKeys(Map<Name, TSIG> keys) {
        this.keys = Map.copyOf(keys);
    }

    /**
     * @param clock clock for signing and for the age of signatures
     * @throws IOException if the file of a secret cannot be read, or has no valid secret; the message names the file
     */
    public static TsigKeys of(List<TsigKeyConfig> configs, Clock clock) throws IOException {
        Map<Name, TSIG> keys = new HashMap<>();
        for (TsigKeyConfig config : configs) {
            Name name = Names.absolute(config.name());
            String mac = mac(config.algorithm());
            SecretKeySpec secret = new SecretKeySpec(secret(config).bytes(), mac);
            keys.put(name, new TSIG(algorithm(config.algorithm()), name, secret, clock));
        }
        return new TsigKeys(keys);
    }

    private static TsigSecret secret(TsigKeyConfig config) throws IOException {
        if (config.secret().isPresent()) {
            return config.secret().get();
        }
        Path file = config.secretFile()
                .orElseThrow(() -> new IllegalArgumentException(
                        "key " + config.name() + " has no secret (expected: secret or secret_file)"));
        try {
            return new TsigSecret(read(file).strip());
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": file not found (expected: the secret of key " + config.name() + ")", e);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": key " + config.name() + ": " + ErrorText.of(e), e);
        }
    }

    private static String read(Path file) throws IOException {
        try (InputStream in = RegularFile.open(file)) {
            // The content of a larger file is truncated here, and then rejected as invalid.
            return new String(in.readNBytes(MAX_FILE_BYTES), StandardCharsets.ISO_8859_1);
        }
    }

    private static Name algorithm(TsigKeyConfig.Algorithm algorithm) {
        return switch (algorithm) {
            case HMAC_SHA256 -> TSIG.HMAC_SHA256;
            case HMAC_SHA384 -> TSIG.HMAC_SHA384;
            case HMAC_SHA512 -> TSIG.HMAC_SHA512;
        };
    }

    private static String mac(TsigKeyConfig.Algorithm algorithm) {
        return switch (algorithm) {
            case HMAC_SHA256 -> "HmacSHA256";
            case HMAC_SHA384 -> "HmacSHA384";
            case HMAC_SHA512 -> "HmacSHA512";
        };
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Returns the key with the given name, ignoring case; empty if there is none. */
    public Optional<TSIG> find(Name name) {
        return Optional.ofNullable(keys.get(name));
    }
}
