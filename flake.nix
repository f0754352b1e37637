{
  description = "kb: judges GPU kernels offline, each from outside its process";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-25.11";

  outputs =
    { self, nixpkgs }:
    let
      # All outputs of one system.
      outputsFor = system: let
      # CUDA's toolkit, and torch as its makers build it, are not free software.
      pkgs = import nixpkgs {
        inherit system;
        config.allowUnfree = true;
      };
      inherit (pkgs) lib;

      programs = [ "kb" "kb-pack" "kb-audit" "kb-baseline" "kb-eval" "kb-generate" "kb-report" "kb-score" "kb-serve" "kb-sign" "kb-verify" ];
      # These run problems and candidates, kb by running the others.
      runners = [ "kb" "kb-audit" "kb-baseline" "kb-eval" "kb-serve" ];

      version = lib.fileContents ./VERSION;
      # What is not committed has no name of its own, only that of its parent.
      commit = self.rev or (builtins.substring 0 40 (self.dirtyRev or ""));

      # For our own kernels; sets come and go from one nixpkgs to the next.
      kernelCuda = pkgs.cudaPackages_13_0 or pkgs.cudaPackages_13 or pkgs.cudaPackages;
      # For what candidates compile: the set that torch-bin is linked with.
      runtimeCuda = pkgs.cudaPackages;

      # `cuda`: a set of CUDA packages to compile our kernels with, or null.
      makeKb =
        { pname, cuda }:
        (if cuda == null then pkgs.stdenv else cuda.backendStdenv).mkDerivation {
          inherit pname version;
          src = self;
          nativeBuildInputs = [ pkgs.pkg-config ] ++ lib.optional (cuda != null) cuda.cuda_nvcc;
          buildInputs = [ pkgs.cjson pkgs.curl pkgs.libarchive pkgs.libyaml pkgs.openssl pkgs.zlib ];
          KB_GIT_COMMIT = commit;
          KB_GIT_DIRTY = if self ? dirtyRev then "1" else "0";
          # Warnings are for who changes kb, not for another nixpkgs' compiler.
          makeFlags = [
            "WERROR="
            "PREFIX=${placeholder "out"}"
            "NVCC=${lib.optionalString (cuda != null) "${cuda.cuda_nvcc}/bin/nvcc"}"
          ];
          enableParallelBuilding = true;
          meta = {
            description = "Measures how correct and how fast GPU kernels are";
            license = lib.licenses.mit;
            platforms = lib.platforms.linux;
            mainProgram = "kb-eval";
          };
        };

      kb = makeKb {
        pname = "kb";
        cuda = null;
      };
      kb-cuda = makeKb {
        pname = "kb-cuda";
        cuda = kernelCuda;
      };

      python = pkgs.python3.withPackages (ps: [ ps.torch-bin ps.transformers ]);

      # The driver belongs to the host's kernel and so to the host. NixOS has a
      # directory for it; elsewhere it lies among libraries that must not be
      # mixed with ours, so there is a directory of links to it alone for each
      # place where distributions keep it. A link that leads nowhere is passed
      # over by the loader.
      driverPlaces = {
        debian = "/usr/lib/${system}-gnu";
        fedora = "/usr/lib64";
        arch = "/usr/lib";
        container = "/usr/local/nvidia/lib64";
        wsl = "/usr/lib/wsl/lib";
      };
      driverLibraries = [
        "libcuda.so.1"
        "libcuda.so"
        "libnvidia-ml.so.1"
        "libnvidia-nvvm.so.4"
        "libnvidia-ptxjitcompiler.so.1"
      ];
      driverLinks = pkgs.runCommand "kb-driver-links" { } (
        lib.concatMapStringsSep "\n" (
          place:
          ''
            mkdir -p "$out/${place}"
          ''
          + lib.concatMapStringsSep "\n" (
            library: ''ln -s "${driverPlaces.${place}}/${library}" "$out/${place}"''
          ) driverLibraries
        ) (builtins.attrNames driverPlaces)
        + "\nexit 0\n"
      );
      driverPath = lib.concatStringsSep ":" (
        [ "/run/opengl-driver/lib" ]
        ++ map (place: "${driverLinks}/${place}") (builtins.attrNames driverPlaces)
      );

      # kb-cuda with all that runs beside it. What is set from outside wins,
      # but for compilers: what they make must fit the libraries in here.
      kb-torch =
        pkgs.runCommand "kb-torch-${version}"
          {
            nativeBuildInputs = [ pkgs.makeWrapper ];
            meta = kb-cuda.meta or { };
          }
          ''
            mkdir -p "$out/bin"
            ln -s ${kb-cuda}/share "$out/share"
            for program in ${lib.concatStringsSep " " programs}
            do ln -s "${kb-cuda}/bin/$program" "$out/bin"
            done
            for program in ${lib.concatStringsSep " " runners}
            do
              rm "$out/bin/$program"
              makeWrapper "${kb-cuda}/bin/$program" "$out/bin/$program" \
                --set-default KB_PYTHON ${python}/bin/python3 \
                --set-default CUDA_HOME ${runtimeCuda.cudatoolkit} \
                --prefix PATH : ${lib.makeBinPath [ runtimeCuda.backendStdenv.cc pkgs.ninja ]} \
                --suffix LD_LIBRARY_PATH : "${driverPath}"
            done
            exit 0
          '';

      help = pkgs.writeShellApplication {
        name = "kb";
        text = ''
          cat <<'EOF'
          kb ${version} (${if commit == "" then "unknown commit" else commit})

            nix run .#kb -- help               all of these by one name
            nix run .#kb-pack -- --help        problems and kernels into bundles
            nix run .#kb-audit -- --help       what problems are worth
            nix run .#kb-baseline -- --help    time the references
            nix run .#kb-eval -- --help        judge and time the candidates
            nix run .#kb-score -- --help       the score of an evaluation
            nix run .#kb-generate -- --help    ask a model
            nix run .#kb-report -- --help      pages to look at
            nix run .#kb-sign -- --help        sign a bundle
            nix run .#kb-verify -- --help      check bundles

          kb-audit, kb-baseline, kb-eval and kb-serve bring a Python with torch; KB_PYTHON names another.
          Pages: man -M ${kb}/share/man kb-eval
          EOF
        '';
      };

      app = program: package: {
        type = "app";
        program = "${package}/bin/${program}";
      };

      # Those of `names` that this nixpkgs has.
      present = names: map (name: pkgs.${name}) (builtins.filter (name: pkgs ? ${name}) names);
    in
    {
      packages = {
        inherit kb kb-cuda kb-torch;
        default = kb;
      };

      apps =
        lib.genAttrs programs (
          program: app program (if builtins.elem program runners then kb-torch else kb)
        )
        // {
          default = app "kb" help;
        };

      checks = {
        inherit kb kb-cuda;

        # Those groups of `make test` that need no torch and little time.
        tests = kb.overrideAttrs (old: {
          pname = "kb-tests";
          nativeCheckInputs = [ pkgs.python3 ];
          doCheck = true;
          checkPhase = ''
            # A builder that is root runs candidates and tests as nobody, whose
            # temporary files are here, too.
            chmod 1777 "$NIX_BUILD_TOP"
            make -j"$NIX_BUILD_CORES" WERROR= NVCC= tests
            tests/run build unit headers install must-fail cli golden baselines
          '';
        });

        # Every program says where it is from, the same in both builds.
        versions = pkgs.runCommand "kb-versions" { } ''
          for program in ${lib.concatStringsSep " " programs}
          do
            for package in ${kb} ${kb-cuda}
            do
              "$package/bin/$program" --version | tee -a "$out" |
                grep -q "^$program ${version} (${if commit == "" then "unknown commit" else commit}"
            done
          done
          exit 0
        '';
      };

      devShells.default = pkgs.mkShell {
        packages =
          [ kernelCuda.cuda_nvcc pkgs.pkg-config pkgs.gnumake pkgs.git ]
          # Compilers, sanitizers, linters and formatters of HACKING.md.
          ++ present [
            "binutils"
            "clang"
            "clang-tools"
            "gdb"
            "mandoc"
            "nixfmt-rfc-style"
            "shellcheck"
          ]
          ++ [ (pkgs.python3.withPackages (ps: [ ps.torch-bin ps.transformers ps.jsonschema ])) ];
        buildInputs = [ pkgs.cjson pkgs.curl pkgs.libarchive pkgs.libyaml pkgs.openssl pkgs.zlib ];
      };
    };

      systems = [ "x86_64-linux" "aarch64-linux" ];
      all = builtins.listToAttrs (
        map (system: { name = system; value = outputsFor system; }) systems
      );
      of = kind: builtins.mapAttrs (_: outputs: outputs.${kind}) all;
    in
    {
      packages = of "packages";
      apps = of "apps";
      checks = of "checks";
      devShells = of "devShells";
    };
}
