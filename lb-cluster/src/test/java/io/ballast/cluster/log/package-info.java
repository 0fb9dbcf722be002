@NullMarked
package io.ballast.cluster.log;

import org.jspecify.annotations.NullMarked;
