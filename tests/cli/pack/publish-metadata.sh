# But for the commit of this kb-pack, if it knows that.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
kb-pack publish $baseline --date 2026-11-21 --author 'Lovelace, Ada' \
	--orcid 0000-0002-1825-0097 --author 'Some "Group"' --license MIT \
	--title Times -o x.tar.gz >/dev/null
folder=kb-$(echo $baseline | cut -c 1-16)
tar -xzOf x.tar.gz $folder/CITATION.cff
tar -xzOf x.tar.gz $folder/ro-crate-metadata.json |
	sed '/"name": "kb-pack"/,/}/ {
		/"url"/d; /"identifier"/d; /"description"/d
		s/\("version": .*\),/\1/
	     }
	     s/\("contentSize": \)"[0-9]*"/\1"some"/'
