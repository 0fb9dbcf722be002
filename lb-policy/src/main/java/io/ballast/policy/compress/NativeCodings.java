package io.ballast.policy.compress;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.github.luben.zstd.util.Native;
import io.ballast.core.ErrorText;
import io.ballast.policy.config.ContentCoding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads the native libraries of codings. Thread-safe. */
final class NativeCodings {

    private static final Logger LOG = LoggerFactory.getLogger(NativeCodings.class);

    private NativeCodings() {}

    /** Returns the codings whose libraries load on this platform; logs a warning for each other coding. */
    static List<ContentCoding> usable(List<ContentCoding> configured) {
        return usable(configured, NativeCodings::load);
    }

    /** @param loader loads the library of a coding; throws an exception or an error if that is not possible */
    static List<ContentCoding> usable(List<ContentCoding> configured, Consumer<ContentCoding> loader) {
        List<ContentCoding> usable = new ArrayList<>();
        for (ContentCoding coding : configured) {
            if (!coding.isNative() || loads(coding, loader)) {
                usable.add(coding);
            }
        }
        return List.copyOf(usable);
    }

    private static boolean loads(ContentCoding coding, Consumer<ContentCoding> loader) {
        try {
            loader.accept(coding);
            return true;
        } catch (RuntimeException | LinkageError e) {
            LOG.warn(
                    "cannot load the native library of the content coding {}: {}; responses are compressed with the other"
                            + " codings of the policy",
                    coding.token(),
                    ErrorText.of(e));
            return false;
        }
    }

    private static void load(ContentCoding coding) {
        if (coding == ContentCoding.BR) {
            Brotli4jLoader.ensureAvailability();
        } else {
            Native.load();
        }
    }
}
